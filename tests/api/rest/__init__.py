"""Tests of the public API over HTTP, on a real database."""
