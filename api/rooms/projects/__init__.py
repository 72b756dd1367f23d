"""Workspaces, the people in them with a role, and their projects."""
