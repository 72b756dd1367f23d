"""May this person do this here? Foreign tenants' things do not exist; a role too weak is named."""

from dataclasses import dataclass
from uuid import UUID

from api.rooms.actions import selectors as actions
from api.rooms.actions.selectors import ActionCard
from api.rooms.agent_sessions import selectors as agent_sessions
from api.rooms.agent_sessions.selectors import SessionCard
from api.rooms.gateway import services as gateway
from api.rooms.gateway.services import ModelSpec
from api.rooms.handoffs import selectors as handoffs
from api.rooms.handoffs.selectors import HandoffCard
from api.rooms.kernel.refusals import Refusal, not_found
from api.rooms.projects import selectors as projects
from api.rooms.projects.selectors import ProjectCard, WorkspaceCard
from contracts.problem import ProblemCode
from contracts.vocabulary import Role


@dataclass(frozen=True)
class SessionAccess:
    session: SessionCard
    project: ProjectCard


def _need(role: Role, needed: Role) -> None:
    if not role.covers(needed):
        raise Refusal(
            ProblemCode.FORBIDDEN,
            f"This needs the role {needed} or more; yours is {role}. Ask an owner of the workspace.",
            {"needed": needed, "role": role},
        )


def workspace(user_id: UUID, workspace_id: UUID, needed: Role) -> WorkspaceCard:
    card = projects.workspace(user_id, workspace_id)
    _need(card.role, needed)
    return card


def naming(user_id: UUID, workspace_id: UUID, spec: ModelSpec, *, sets_price: bool) -> None:
    """Owners say where a workspace's words may be sent (threat 12), what is in use and what it costs (RN-052)."""
    if not sets_price and gateway.is_in_use(workspace_id, spec):
        return
    role = projects.workspace(user_id, workspace_id).role
    if not role.covers(Role.OWNER):
        raise Refusal(
            ProblemCode.FORBIDDEN,
            "Only an owner of the workspace adds a model, switches it on or sets its price; "
            f"your role is {role}. Use one that is switched on, or ask.",
            {"needed": Role.OWNER, "role": role},
        )


def project(user_id: UUID, project_id: UUID, needed: Role) -> ProjectCard:
    card = projects.project(user_id, project_id)
    _need(card.role, needed)
    return card


def session(user_id: UUID, session_id: UUID, needed: Role) -> SessionAccess:
    card = agent_sessions.session(session_id)
    try:
        owner = projects.project(user_id, card.project_id)
    except Refusal:
        raise not_found("session") from None
    _need(owner.role, needed)
    return SessionAccess(card, owner)


def handoff(user_id: UUID, handoff_id: UUID, needed: Role) -> HandoffCard:
    card = handoffs.handoff(handoff_id)
    try:
        session(user_id, card.session_id, needed)
    except Refusal as refusal:
        raise refusal if refusal.code is ProblemCode.FORBIDDEN else not_found("handoff") from None
    return card


def action(user_id: UUID, action_id: UUID, needed: Role) -> ActionCard:
    card = actions.action(action_id)
    try:
        project(user_id, card.project_id, needed)
    except Refusal as refusal:
        raise refusal if refusal.code is ProblemCode.FORBIDDEN else not_found("action") from None
    return card


def session_of_event(user_id: UUID, event_id: UUID, needed: Role) -> UUID:
    """The session that an event lies in."""
    session_id = agent_sessions.session_of_event(event_id)
    if session_id is None:
        raise not_found("event")
    try:
        session(user_id, session_id, needed)
    except Refusal as refusal:
        raise refusal if refusal.code is ProblemCode.FORBIDDEN else not_found("event") from None
    return session_id
