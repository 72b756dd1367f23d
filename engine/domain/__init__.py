"""Pure rules that every agent shares."""
