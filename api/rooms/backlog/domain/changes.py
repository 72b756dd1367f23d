"""What an edit changes: fields before and after, and nothing that stays as it was."""

from contracts.backlog import StoryChanges, StoryContent
from contracts.events.backlog import TextChange

Value = str | tuple[str, ...]


def applied(content: StoryContent, changes: StoryChanges) -> StoryContent:
    """The story after the edit."""
    given = {name: value for name, value in changes if value is not None}
    return content.model_copy(update=given)


def between(before: StoryContent, after: StoryContent) -> tuple[TextChange, ...]:
    """In the order of the story's fields."""
    names = type(before).model_fields
    pairs = [(name, getattr(before, name), getattr(after, name)) for name in names]
    return tuple(
        TextChange(field=name, before=_lines(old), after=_lines(new)) for name, old, new in pairs if old != new
    )


def _lines(value: Value) -> tuple[str, ...]:
    if isinstance(value, tuple):
        return value
    return (value,) if value else ()
