"""A person's own filters, by name."""

from uuid import UUID

from api.rooms.backlog.filters import Filter
from api.rooms.backlog.models import SavedFilter
from api.rooms.backlog.services import refusing

MAX_SAVED = 20


def save_filter(project_id: UUID, user_id: UUID, name: str, wanted: Filter) -> None:
    """The same name again replaces it."""
    name = refusing.title(name)
    mine = SavedFilter.objects.filter(project_id=project_id, user_id=user_id)
    if mine.exclude(name=name).count() >= MAX_SAVED:
        raise refusing.invalid(f"You have {MAX_SAVED} saved filters here: remove one first.", limit=str(MAX_SAVED))
    mine.update_or_create(project_id=project_id, user_id=user_id, name=name, defaults={"query": wanted.as_query()})


def drop_filter(project_id: UUID, user_id: UUID, filter_id: UUID) -> None:
    """What is gone already stays gone."""
    SavedFilter.objects.filter(project_id=project_id, user_id=user_id, id=filter_id).delete()
