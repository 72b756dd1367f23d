"""What a person sees and does, in a real browser against the whole of Mutirão."""
