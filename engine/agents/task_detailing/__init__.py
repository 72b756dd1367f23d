"""Task Detailing: writes the tasks of one story of an iteration, without a conversation."""
