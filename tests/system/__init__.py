"""Both services as real processes."""
