"""The architecture of a project, at the doors of the rooms."""
