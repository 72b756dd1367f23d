"""A worker claims an instance, says each second that it lives, and lets go."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agents import selectors as inboxes
from api.rooms.agents import services as agents
from api.rooms.agents.services import InstanceFacts
from api.rooms.agents.services.instances import refuse_stale
from api.rooms.gateway import services as gateway
from api.rooms.turns import selectors
from api.rooms.turns.services.ending import agent_actor, end_turn, error_event
from contracts.failures import ErrorCode
from contracts.limits import LEASE_MS, MAX_DEATHS_PER_CAUSE
from contracts.routes.instances import Claim, ClaimAnswer, Lease, ReleaseAnswer, RunningTurn
from contracts.routes.workers import Heartbeat, HeartbeatAnswer
from contracts.vocabulary import TurnStatus


@transaction.atomic
def claim(instance_id: UUID, asked: Claim) -> ClaimAnswer:
    """Lease, epoch, saved state, running turn and inbox; no lease when there is nothing to do here."""
    facts = agents.lock(instance_id)
    claimed = agents.claim(instance_id, asked.worker, asked.claim_id)
    if claimed is None:
        return ClaimAnswer(lease=None)
    if not claimed.is_repeated:
        gateway.close_older(instance_id, claimed.epoch)
    if claimed.deaths >= MAX_DEATHS_PER_CAUSE and facts.turn_id is not None:
        _give_up(facts, claimed)
        return ClaimAnswer(lease=None)
    return ClaimAnswer(lease=_lease(facts, claimed.epoch))


def _lease(facts: InstanceFacts, epoch: int) -> Lease:
    turn = RunningTurn(turn_id=facts.turn_id, number=facts.turn_number) if facts.turn_id else None
    return Lease(
        epoch=epoch,
        step=facts.step,
        lease_ms=LEASE_MS,
        state=facts.state,
        turn=turn,
        inbox=inboxes.inbox(facts.session_id, facts.agent, facts.cursor_seq),
        context=selectors.context_of(facts),
    )


def _give_up(facts: InstanceFacts, claimed: agents.Claimed) -> None:
    """Poison: the same step killed its process too often. A person's message or Continue revives the agent."""
    error = error_event(
        ErrorCode.WORKER_LOST,
        f"the process died {claimed.deaths} times at step {facts.step}",
        facts.turn_id,
        deaths=str(claimed.deaths),
    )
    agent_sessions.append(facts.session_id, agent_actor(facts.agent), error)
    end_turn(facts, TurnStatus.INTERRUPTED, ErrorCode.WORKER_LOST)
    agents.save(facts, is_held=True, deaths=0, deaths_step=-1)
    agents.release_lease(facts.id, claimed.epoch)


@transaction.atomic
def release(instance_id: UUID, epoch: int) -> ReleaseAnswer:
    """Refused when something new is wanted, under the same lock as appends: no wake is lost in between."""
    facts = agents.lock(instance_id)
    refuse_stale(facts, epoch)
    if facts.turn_id is not None:
        # Handed over in mid-turn (a worker that drains): the next one goes on from the saved step.
        agents.release_lease(instance_id, epoch)
        agents.wake_again(instance_id, facts.agent, facts.wanted_seq)
        return ReleaseAnswer(released=True)
    inbox = () if facts.is_held else inboxes.inbox(facts.session_id, facts.agent, facts.cursor_seq)
    if inbox:
        return ReleaseAnswer(released=False, inbox=inbox)
    if not facts.is_held:
        agents.save(facts, cursor_seq=max(facts.cursor_seq, facts.wanted_seq))
    agents.release_lease(instance_id, epoch)
    return ReleaseAnswer(released=True)


@transaction.atomic
def heartbeat(worker: UUID, asked: Heartbeat) -> HeartbeatAnswer:
    """Renews what is still this worker's, releases what it no longer runs, and tells what to drop."""
    renewed = agents.renew(worker, [(held.instance_id, held.epoch) for held in asked.running])
    lost = tuple(held.instance_id for held in asked.running if held.instance_id not in renewed)
    stopped = tuple(
        held.instance_id
        for held in asked.running
        if held.turn_id is not None and held.instance_id in renewed and renewed[held.instance_id] != held.turn_id
    )
    return HeartbeatAnswer(lost=lost, stopped=stopped)
