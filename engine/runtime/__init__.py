"""The one process that every agent runs in, written once."""
