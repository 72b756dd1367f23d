"""Starts all of Mutirão on one machine and keeps it running: `make run`."""
