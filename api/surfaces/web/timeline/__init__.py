"""The session's log as a person reads it."""
