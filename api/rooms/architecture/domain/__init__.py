"""Rules of an architecture: pure."""
