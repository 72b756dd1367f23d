"""The rules of model calls, without Django."""
