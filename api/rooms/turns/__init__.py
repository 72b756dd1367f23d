"""Turns: where an agent instance's life meets what people say and its model streams."""
