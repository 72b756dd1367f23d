"""Rules of the shared words."""
