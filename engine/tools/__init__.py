"""What a model may ask for: arguments and run."""
