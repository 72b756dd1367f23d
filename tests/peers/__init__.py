"""Our providers against servers that nobody here wrote: `make test-peers`."""
