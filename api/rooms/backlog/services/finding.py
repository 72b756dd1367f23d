"""Find a story by the code that somebody said."""

from uuid import UUID

from api.rooms.backlog.domain import codes
from api.rooms.backlog.models import Story
from api.rooms.backlog.services import refusing


def story_of(project_id: UUID, code: str) -> Story:
    """Under the backlog's lock nobody else changes it. Raises Refusal that names the stories there are."""
    stories = Story.objects.filter(project_id=project_id)
    found = stories.filter(number=codes.number_of(code, codes.STORY)).first()
    if found is None:
        known = stories.order_by("number").values_list("number", "title")
        raise refusing.unknown("story", [code], (f"{codes.STORY}{number} ({title})" for number, title in known))
    return found
