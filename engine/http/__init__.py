"""The engine's own small HTTP surface."""
