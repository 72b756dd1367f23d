"""Artifacts that agents write, checked where all sessions of the project can be seen."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from pydantic import ValidationError

from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agents import services as agents
from api.rooms.agents.services import InstanceFacts
from api.rooms.architecture.services import Architect
from api.rooms.backlog import services as backlog
from api.rooms.kernel.refusals import Refusal
from api.rooms.turns.selectors import is_readiness_turn
from api.rooms.turns.services.ending import agent_actor
from contracts.agents import card_of
from contracts.events import BusinessRule, Insight, LogEvent, ProductBrief
from contracts.problem import ProblemCode
from contracts.routes.effects import EmitArtifact, EmitBrief, EventWritten


@transaction.atomic
def emit_artifact(instance_id: UUID, asked: EmitArtifact, body_hash: str) -> EventWritten:
    """A note or a business rule, each title once in a project (RN-080).

    A rule that this session holds already is refused by its title; one that another session holds is cited here.
    """
    facts = agents.fence(instance_id, asked.epoch, asked.turn_id)
    return agents.answer_once(
        instance_id, f"artifact:{asked.step}", body_hash, EventWritten, lambda: _write_artifact(facts, asked)
    )


def _write_artifact(facts: InstanceFacts, asked: EmitArtifact) -> EventWritten:
    artifact = asked.artifact
    _refuse_if_not_theirs(facts.agent, artifact.type)
    if isinstance(artifact, BusinessRule):
        _refuse_unknown_origin(facts, artifact)
        writer = backlog.Writer(facts.session_id, facts.project_id, agent_actor(facts.agent))
        return EventWritten(event=backlog.emit_rule(writer, artifact, asked.quoted, asked.supersedes))
    if isinstance(artifact, Insight):
        architect = Architect(facts.session_id, facts.project_id, agent_actor(facts.agent))
        return EventWritten(event=backlog.keep_insight(architect, artifact))
    return EventWritten(event=agent_sessions.append(facts.session_id, agent_actor(facts.agent), artifact))


def _refuse_if_not_theirs(agent: str, event_type: str) -> None:
    card = card_of(agent)
    kind = event_type.removeprefix("artifact.")
    if card is None or kind not in card.may_emit:
        raise Refusal(ProblemCode.INVALID_ARTIFACT, f"{agent} may not emit {kind}: it belongs to another agent.")


def _refuse_unknown_origin(facts: InstanceFacts, rule: BusinessRule) -> None:
    """Every line can be asked "why?": an origin must be a message of this session."""
    known = {event.seq for event in log.events_of_types(facts.session_id, ("chat.message",))}
    unknown = sorted(set(rule.origin) - known)
    if unknown:
        raise Refusal(
            ProblemCode.INVALID_ARTIFACT,
            f"origin names {unknown}, which are no messages of this session. Messages are: {sorted(known)}.",
        )


@transaction.atomic
def emit_brief(instance_id: UUID, asked: EmitBrief, body_hash: str) -> EventWritten:
    """The server's own artifact: only in a turn that a readiness click began, only with rules (RN-142)."""
    facts = agents.fence(instance_id, asked.epoch, asked.turn_id)
    return agents.answer_once(
        instance_id, f"brief:{asked.step}", body_hash, EventWritten, lambda: _write_brief(facts, asked)
    )


def _write_brief(facts: InstanceFacts, asked: EmitBrief) -> EventWritten:
    if not is_readiness_turn(asked.turn_id):
        raise Refusal(ProblemCode.INVALID_ARTIFACT, "A brief needs a person's \"I'm ready to produce\" first.")
    brief = _brief(facts, asked.summary)
    return EventWritten(event=agent_sessions.append(facts.session_id, agent_actor(facts.agent), brief))


def _brief(facts: InstanceFacts, summary: str) -> ProductBrief:
    rules = present_wordings(log.events_of_types(facts.session_id, ("artifact.business_rule",)))
    if not rules:
        raise Refusal(ProblemCode.NO_BUSINESS_RULE, "A brief needs at least one business rule in this session.")
    number = len(log.events_of_types(facts.session_id, ("artifact.product_brief",))) + 1
    try:
        return ProductBrief(number=number, summary=summary, rules=tuple(rule.id for rule in rules))
    except ValidationError as error:
        raise Refusal(ProblemCode.INVALID_ARTIFACT, f"The brief is not valid: {error.errors()[0]['msg']}.") from error


def present_wordings(rules: Sequence[LogEvent]) -> tuple[LogEvent, ...]:
    """Without those that a later event of the session supersedes."""
    past = {event.payload.supersedes for event in rules if isinstance(event.payload, BusinessRule)}
    return tuple(event for event in rules if event.id not in past)


def artifact_of(facts: InstanceFacts, event_id: UUID) -> LogEvent:
    """The artifact a handoff is about, in the same session."""
    event = log.event(facts.session_id, event_id)
    if event is None or not event.payload.type.startswith("artifact."):
        raise Refusal(ProblemCode.INVALID_HANDOFF, "artifact_event_id is no artifact of this session.")
    return event
