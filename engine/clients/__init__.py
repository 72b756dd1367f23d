"""What the engine talks to."""
