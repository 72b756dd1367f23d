"""The live view of a session: a hint that makes the truth of `events?after=` fast (law 8)."""
