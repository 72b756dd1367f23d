"""The UX Designer's prototype: one artifact, and two offers of which one may fail without the other."""

from uuid import UUID

from django.db import transaction

from api.rooms.agents import services as agents
from api.rooms.architecture.services import Architect
from api.rooms.backlog import services as backlog
from api.rooms.handoffs.services.offering import offer_to
from api.rooms.kernel.refusals import Refusal
from api.rooms.turns.services.ending import agent_actor
from contracts.agents import ROSTER, card_of
from contracts.problem import ProblemCode
from contracts.routes.work_items import NotOffered, ProposePrototype, PrototypeMade

WHAT = "prototype"


@transaction.atomic
def propose_prototype(instance_id: UUID, asked: ProposePrototype, body_hash: str) -> PrototypeMade:
    """Raises Refusal: an element that leads to no screen, or an agent that draws none."""
    facts = agents.fence(instance_id, asked.epoch, asked.turn_id)
    card = card_of(facts.agent)
    if card is None or WHAT not in card.may_write:
        raise Refusal(ProblemCode.FORBIDDEN, f"{facts.agent} does not write a {WHAT}: it belongs to another agent.")
    return agents.answer_once(
        instance_id, f"{WHAT}:{asked.step}", body_hash, PrototypeMade, lambda: _make(facts, asked)
    )


def _make(facts: agents.InstanceFacts, asked: ProposePrototype) -> PrototypeMade:
    architect = Architect(facts.session_id, facts.project_id, agent_actor(facts.agent))
    made, event = backlog.keep_prototype(architect, asked.prototype)
    offered, failed = [], []
    for receiver in ROSTER[facts.agent].hands_to:
        try:
            with transaction.atomic():
                offer_to(facts, receiver, event.id)
            offered.append(receiver)
        except Refusal as refusal:
            failed.append(NotOffered(agent=receiver, why=refusal.detail))
    return PrototypeMade(version=made.version, offered=tuple(offered), failed=tuple(failed))
