"""Words that both services share; imports pydantic and the standard library only."""
