"""What an operator does to an instance: let go of its lease, look again, give it a new life."""

from uuid import UUID

from api.rooms.agents.models import Instance
from api.rooms.agents.services.inbox import wake_again
from api.rooms.agents.services.instances import lock, save
from api.rooms.agents.services.leases import release_lease
from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode


def free_lease(instance_id: UUID) -> None:
    """Whoever held it finds out at its next heartbeat; the next claim fences whatever it still sends."""
    facts = lock(instance_id)
    if not Instance.objects.filter(id=instance_id).exclude(lease_worker=None).exists():
        raise Refusal(ProblemCode.INVALID_TRANSITION, "Nobody holds this lease: there is nothing to release.")
    release_lease(instance_id, facts.epoch)
    wake_again(facts.id, facts.agent, facts.wanted_seq)


def wake_now(instance_id: UUID) -> None:
    """A hint; an instance that wants nothing ignores it."""
    facts = lock(instance_id)
    wake_again(facts.id, facts.agent, facts.wanted_seq)


def revive(instance_id: UUID) -> None:
    """Its deaths are forgotten and a hold is lifted, as a person's message would."""
    facts = lock(instance_id)
    save(facts, deaths=0, is_held=False)
    wake_again(facts.id, facts.agent, facts.wanted_seq)
