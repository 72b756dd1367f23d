"""The backlog of a project: rules by code, epics, stories and tasks, and what they trace back to."""
