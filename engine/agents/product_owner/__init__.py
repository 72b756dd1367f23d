"""The Product Owner: turns a brief into epics, stories and tasks."""
