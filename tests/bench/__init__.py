"""Measurements with a budget: `make bench` ends with one JSON document; docs/speed.md says how each is taken."""
