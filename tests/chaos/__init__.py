"""Kills at bad moments, and an oracle that looks for what was lost, doubled or bought twice."""
