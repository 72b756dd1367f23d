"""The engine: runs agents, owns no data."""
