"""The pages: what they show, to whom, and in which language."""
