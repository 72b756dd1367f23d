"""Tests, each named after the rule it holds."""
