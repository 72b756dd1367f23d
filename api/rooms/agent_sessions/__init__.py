"""Sessions and their append-only, hash-chained event log."""
