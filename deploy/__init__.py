"""How Mutirão is installed, started and packaged."""
