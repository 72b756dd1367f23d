"""The backlog of a project, on the real database."""
