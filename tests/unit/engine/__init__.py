"""The engine's pure rules."""
