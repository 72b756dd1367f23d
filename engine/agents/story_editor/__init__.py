"""The Story Editor: maintains the stories of one epic and lets their tasks be written, by conversation."""
