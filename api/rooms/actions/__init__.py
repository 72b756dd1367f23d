"""What agents propose to do outside of the workspace: it waits for a person, whose word is bound to its content."""
