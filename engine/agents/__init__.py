"""One folder an agent."""
