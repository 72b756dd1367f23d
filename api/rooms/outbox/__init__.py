"""What the relay must still deliver: one wake per instance, and typed messages with dead letters."""
