"""The pure rules of this room."""
