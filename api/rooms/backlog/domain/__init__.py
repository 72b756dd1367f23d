"""Rules of the backlog: pure."""
