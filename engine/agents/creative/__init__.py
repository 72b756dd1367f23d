"""The Creative: explores an idea and records its business rules."""
