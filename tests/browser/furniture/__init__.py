"""What stands in a house whose pages are looked at: no page is empty, and nothing of it is in the other tests' way."""
