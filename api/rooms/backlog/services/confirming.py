"""A person confirms the architecture: looked at again on the server before anything is written (RN-145, RN-160)."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.agents import services as agents
from api.rooms.architecture import selectors as reading
from api.rooms.architecture import services as architecture
from api.rooms.architecture.selectors import Architecture
from api.rooms.architecture.services import NO_MAP, invalid
from api.rooms.backlog.models import Story
from api.rooms.backlog.services import numbering, refusing
from contracts.events import ArchitectureConfirmed
from contracts.vocabulary import StoryStatus

ARCHITECT = "architect"


@transaction.atomic
def confirm_architecture(project_id: UUID, user_id: UUID, version: int) -> None:
    """Wakes the Architect of the session that the current map was made in; the same click again changes nothing.

    Raises Refusal: no map, no story beyond draft, `stale_version` when there is a newer map than the one that was read.
    """
    session_id = _session_of(reading.architecture(project_id))
    agent_sessions.refuse_unless_active(agent_sessions.lock(session_id))
    numbering.lock(project_id)
    current = reading.architecture(project_id)
    refusing.refuse_stale("The module map", current.map_version, version)
    if not Story.objects.filter(project_id=project_id).exclude(status=StoryStatus.DRAFT).exists():
        raise invalid("No story of this project is ready yet. Promote at least one, then confirm the architecture.")
    if architecture.confirm(project_id, version):
        told = ArchitectureConfirmed(map_version=version)
        agents.deliver(session_id, user_actor(user_id), told, ARCHITECT, lifts_hold=True)


def _session_of(current: Architecture) -> UUID:
    if current.session_id is None:
        raise invalid(NO_MAP)
    return current.session_id
