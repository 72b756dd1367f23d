"""A person hands the work to whichever agent they choose: offered and accepted in one act, a phase skipped or not."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.backlog.services.epics import epic_of
from api.rooms.handoffs import selectors
from api.rooms.handoffs.domain.offers import refuse_choice
from api.rooms.handoffs.models import Handoff
from api.rooms.handoffs.selectors import HandoffCard
from api.rooms.handoffs.services.beginning import begin_or_owe
from api.rooms.kernel.clock import now
from api.rooms.kernel.refusals import Refusal
from contracts.events import HandoffAccepted, HandoffOffered
from contracts.problem import ProblemCode
from contracts.vocabulary import HandoffStatus

PERSON = "person"
SCOPED = "story_editor"
"""Its conversation is about one epic."""


@transaction.atomic
def hand_to(session_id: UUID, user_id: UUID, to_agent: str, epic: str = "") -> HandoffCard:
    """The target is validated here: the lead of an area, or an agent without one. Raises Refusal."""
    session = agent_sessions.lock(session_id)
    agent_sessions.refuse_unless_active(session)
    wrong = refuse_choice(to_agent)
    if wrong is not None:
        raise Refusal(ProblemCode.INVALID_HANDOFF, wrong, {"to_agent": to_agent})
    if to_agent == SCOPED and not epic:
        raise Refusal(ProblemCode.INVALID_HANDOFF, "Name the epic that the conversation is about, such as E1.")
    scope = epic_of(session.project_id, epic).code if epic else None
    brief = log.last_of_type(session_id, "artifact.product_brief")
    row = Handoff.objects.create(
        session_id=session_id,
        from_agent=PERSON,
        to_agent=to_agent,
        artifact_event_id=brief.id if brief else None,
        epic=scope or "",
        status=HandoffStatus.ACCEPTED,
        decided_at=now(),
        decided_by_id=user_id,
    )
    offered = HandoffOffered(
        handoff_id=row.id, from_agent=PERSON, to_agent=to_agent, artifact_event_id=row.artifact_event_id
    )
    for payload in (offered, HandoffAccepted(handoff_id=row.id, to_agent=to_agent)):
        agent_sessions.append(session_id, user_actor(user_id), payload)
    begin_or_owe(session, row, user_id)
    return selectors.handoff(row.id)
