"""A backlog in other shapes than ours: tables, Markdown, and what other tools write."""
