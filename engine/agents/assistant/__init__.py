"""The assistant: answers when no agent is active."""
