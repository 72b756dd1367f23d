"""The rooms: one subject each, imports only go down (see docs and the import-linter contracts)."""
