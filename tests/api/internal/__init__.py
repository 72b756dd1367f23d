"""Tests of the routes that only the engine may call."""
