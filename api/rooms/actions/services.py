"""Propose an action, and decide on it once: an approval is bound to the hash of what was shown (law 5)."""

from uuid import UUID

from django.db import transaction

from api.rooms.actions import selectors
from api.rooms.actions.domain import adrs, hashing
from api.rooms.actions.models import ProposedAction
from api.rooms.actions.selectors import ActionCard
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.agents import services as agents
from api.rooms.architecture.selectors import module_names
from api.rooms.architecture.services import invalid
from api.rooms.backlog import services as backlog
from api.rooms.backlog.services import Writer
from api.rooms.kernel.clock import now
from api.rooms.kernel.refusals import Refusal, not_found
from contracts.actions import ActionStatus, ActionType, Adr
from contracts.base import has_forbidden_character
from contracts.events import ActionApproved, ActionDenied, ActionProposed
from contracts.limits import MAX_REASON_CHARS
from contracts.problem import ProblemCode
from contracts.routes.architecture import ActionWaits, ProposeAdr


def propose_adr(instance_id: UUID, asked: ProposeAdr, body_hash: str) -> ActionWaits:
    """The turn goes on: what a person decides arrives in the agent's inbox."""

    def act(writer: Writer) -> ActionWaits:
        return propose(writer, asked.adr)

    return backlog.write_once(instance_id, asked, body_hash, "adr", ActionWaits, act)


def propose(writer: Writer, adr: Adr) -> ActionWaits:
    """In the caller's transaction. Raises Refusal that lists the modules there are."""
    known = module_names(writer.project_id)
    strange = [name for name in adr.modules if name not in known]
    if strange:
        there = ", ".join(sorted(known)) or "none yet"
        raise invalid(f"There is no module {', '.join(strange)}. There are: {there}.", unknown=", ".join(strange))
    content = adrs.content_of(adr)
    row = ProposedAction.objects.create(
        project_id=writer.project_id,
        session_id=writer.session_id,
        agent=writer.actor.id,
        action_type=ActionType.OPEN_ADR_PR,
        title=adr.title,
        content=content,
        content_sha256=hashing.hash_of(ActionType.OPEN_ADR_PR, adr.title, content),
    )
    told = ActionProposed(
        action_id=row.id, action_type=ActionType.OPEN_ADR_PR, title=row.title, content_sha256=row.content_sha256
    )
    writer.tell(told)
    return ActionWaits(action_id=row.id, title=row.title)


@transaction.atomic
def approve(action_id: UUID, user_id: UUID, content_sha256: str) -> ActionCard:
    """Raises Refusal: `content_changed` when it is not what was shown, `already_decided` after the opposite."""
    row = _locked(action_id)
    if row.content_sha256 != content_sha256:
        detail = "This is not the content that you were shown. Read it again, then decide."
        raise Refusal(ProblemCode.CONTENT_CHANGED, detail, {"content_sha256": row.content_sha256})
    if _must_decide(row, ActionStatus.APPROVED):
        told = ActionApproved(
            action_id=row.id,
            action_type=ActionType(row.action_type),
            title=row.title,
            content_sha256=row.content_sha256,
        )
        _decide(row, user_id, ActionStatus.APPROVED, told, "")
    return selectors.action(action_id)


@transaction.atomic
def deny(action_id: UUID, user_id: UUID, reason: str) -> ActionCard:
    """With a reason, which the agent reads."""
    reason = reason.strip()
    if not reason or len(reason) > MAX_REASON_CHARS or has_forbidden_character(reason):
        detail = f"A denial needs a reason of 1 to {MAX_REASON_CHARS} characters: the agent reads it."
        raise Refusal(ProblemCode.INVALID_BODY, detail, {"field": "reason"})
    row = _locked(action_id)
    if _must_decide(row, ActionStatus.DENIED):
        told = ActionDenied(action_id=row.id, action_type=ActionType(row.action_type), title=row.title, reason=reason)
        _decide(row, user_id, ActionStatus.DENIED, told, reason)
    return selectors.action(action_id)


def _locked(action_id: UUID) -> ProposedAction:
    """Session first, then the action (the order of all locks)."""
    session_id = ProposedAction.objects.filter(id=action_id).values_list("session_id", flat=True).first()
    if session_id is None:
        raise not_found("action")
    agent_sessions.refuse_unless_active(agent_sessions.lock(session_id))
    return ProposedAction.objects.select_for_update(no_key=True).get(id=action_id)


def _must_decide(row: ProposedAction, wanted: ActionStatus) -> bool:
    """False for the same decision again; the opposite of what was decided is refused."""
    if row.status == ActionStatus.PENDING:
        return True
    if row.status == wanted:
        return False
    when = row.decided_at.isoformat() if row.decided_at else ""
    raise Refusal(ProblemCode.ALREADY_DECIDED, f"This was {row.status} at {when}.", {"status": row.status})


def _decide(
    row: ProposedAction, user_id: UUID, status: ActionStatus, told: ActionApproved | ActionDenied, reason: str
) -> None:
    ProposedAction.objects.filter(id=row.id, status=ActionStatus.PENDING).update(
        status=status, reason=reason, decided_by_id=user_id, decided_at=now()
    )
    agents.deliver(row.session_id, user_actor(user_id), told, row.agent, lifts_hold=True)
