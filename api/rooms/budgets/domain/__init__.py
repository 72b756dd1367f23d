"""The rules of spending, without a database."""
