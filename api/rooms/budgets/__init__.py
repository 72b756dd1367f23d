"""What may be spent, what is held for calls in flight, and what every call cost."""
