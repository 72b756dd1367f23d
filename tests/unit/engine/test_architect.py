"""The Architect's ceiling, its confirmed summary and the offer that follows it, and what its model is told."""

from typing import Any
from uuid import UUID, uuid4

from contracts.actions import ActionType
from contracts.agents import ROSTER
from contracts.architecture import Module
from contracts.artifacts import ModuleMap, ProductBrief
from contracts.events import ActionApproved, ActionDenied, ArchitectureConfirmed, CeilingReached, HandoffStarted
from contracts.failures import ErrorCode
from contracts.vocabulary import TurnStatus
from engine.agents.architect import behaviour, context
from engine.agents.architect.agent import ARCHITECT
from engine.agents.architect.behaviour import State
from engine.domain.behaviour import EffectFailed, Received, Step, WorkOffered
from engine.domain.effects import CallModel, OfferWork
from engine.domain.failures import Failure
from tests.unit.engine.told import NOW, Told, answer, call, ran


def play(step: Step, *messages: Received) -> Step:
    for message in messages:
        assert isinstance(step.state, State)
        step = behaviour.handle(step.state, message, NOW)
    return step


def confirmed(*, with_map: bool = True) -> tuple[Step, UUID | None]:
    """A turn that a confirmation began, and the event of the map."""
    log = Told("architect")
    made = ModuleMap(version=1, modules=(Module(name="loans", stack="Python", responsibility="All."),))
    event = log.add(made) if with_map else None
    clicked = log.add(ArchitectureConfirmed(map_version=1), "architect")
    return behaviour.handle(behaviour.start(), log.began(clicked), NOW), event.id if event else None


def test_rn_166_the_ceiling_speaks() -> None:
    log = Told("architect")
    step = behaviour.handle(behaviour.start(), log.began(log.say("Go on")), NOW)
    ceiling = ROSTER["architect"].ceiling
    for number in range(ceiling):
        assert step.end is None
        step = play(step, answer("", call("read_architecture", "{}", str(number))), ran(f"Answer {number}"))
    assert step.end is not None
    assert (step.end.status, step.end.reason) == (TurnStatus.FAILED, ErrorCode.ITERATION_LIMIT)
    assert [(each.max_iterations) for each in step.events if isinstance(each, CeilingReached)] == [ceiling]


def test_rn_145_a_confirmed_architecture_is_summed_up_and_then_offered() -> None:
    step, map_event = confirmed()
    assert isinstance(step.effect, CallModel)
    assert step.effect.tools == ("read_architecture",)
    step = play(step, answer("Three modules."))
    assert step.effect == OfferWork(to_agent="infra_lead", artifact_event_id=map_event)
    step = play(step, WorkOffered(uuid4()))
    assert step.end is not None
    assert step.end.status is TurnStatus.COMPLETED


def test_rn_145_a_map_of_another_session_is_no_artifact_of_this_one() -> None:
    step, _ = confirmed(with_map=False)
    assert play(step, answer("Three.")).effect == OfferWork(to_agent="infra_lead", artifact_event_id=None)


def test_rn_145_a_summary_that_failed_offers_nothing() -> None:
    step, _ = confirmed()
    step = play(step, answer(error=ErrorCode.PROVIDER_UNAVAILABLE))
    assert (step.effect, step.end is not None) == (None, True)


def test_rn_145_an_offer_that_failed_is_told() -> None:
    step, _ = confirmed()
    step = play(step, answer("Three."))
    assert isinstance(step.effect, OfferWork)
    step = play(step, EffectFailed(step.effect, Failure(ErrorCode.HANDOFF_REFUSED, "no")))
    assert step.end is not None
    assert step.end.status is TurnStatus.FAILED


def test_the_state_outlives_the_worker() -> None:
    step, map_event = confirmed()
    again = State.model_validate_json(step.state.model_dump_json())
    following = behaviour.handle(again, answer("Three."), NOW)
    assert following.effect == OfferWork(to_agent="infra_lead", artifact_event_id=map_event)


def test_the_model_is_told_the_brief_and_what_people_decided() -> None:
    log = Told("architect")
    log.add(ProductBrief(number=1, summary="A market for neighbours.", rules=(uuid4(),)))
    started = HandoffStarted(handoff_id=uuid4(), from_agent="product_owner", to_agent="architect")
    action: dict[str, Any] = {"action_id": uuid4(), "action_type": ActionType.OPEN_ADR_PR, "title": "One database"}
    told = [
        context.say(log.add(payload, "architect"), log.events)
        for payload in (
            started,
            ActionApproved(**action, content_sha256="a" * 64),
            ActionDenied(**action, reason="Too early."),
            ArchitectureConfirmed(map_version=3),
        )
    ]
    assert "A market for neighbours." in told[0]
    assert "approved your proposal “One database”" in told[1]
    assert "Too early." in told[2]
    assert "version 3" in told[3]


def test_every_tool_of_the_rules_is_wired() -> None:
    assert set(behaviour.RULES.tools) == set(ARCHITECT.tools)
    assert set(behaviour.SUMMARY.tools) <= set(ARCHITECT.tools)
