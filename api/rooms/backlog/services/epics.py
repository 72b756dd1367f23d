"""Make epics, and find them by the code that somebody said."""

from uuid import UUID

from api.rooms.backlog.domain import codes
from api.rooms.backlog.models import Epic
from api.rooms.backlog.services import numbering, refusing
from api.rooms.backlog.services.writing import Writer
from contracts.events import EpicCreated
from contracts.routes.backlog import EpicMade


def create_epic(writer: Writer, title: str, description: str = "") -> EpicMade:
    """In the caller's transaction."""
    title = refusing.title(title)
    numbering.lock(writer.project_id)
    epic = Epic.objects.create(
        project_id=writer.project_id,
        session_id=writer.session_id,
        number=numbering.take(writer.project_id, "next_epic"),
        title=title,
        description=description.strip(),
    )
    writer.tell(EpicCreated(epic_id=epic.id, code=epic.code, title=epic.title))
    return EpicMade(code=epic.code, title=epic.title)


def epic_of(project_id: UUID, code: str) -> Epic:
    """Raises Refusal that names the epics there are."""
    epics = Epic.objects.filter(project_id=project_id)
    found = epics.filter(number=codes.number_of(code, codes.EPIC)).first()
    if found is None:
        known = epics.order_by("number").values_list("number", "title")
        raise refusing.unknown("epic", [code], (f"{codes.EPIC}{number} ({title})" for number, title in known))
    return found
