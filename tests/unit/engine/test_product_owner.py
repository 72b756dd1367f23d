"""The Product Owner's debts and ceiling, and what its model is told (RN_048, RN_162, RN_165, RN_166)."""

from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.agents import ROSTER
from contracts.artifacts import BusinessRule, ProductBrief
from contracts.events import (
    AgentWritten,
    CeilingReached,
    EpicWithoutStory,
    HandoffStarted,
    StoryPromotionReturned,
)
from contracts.events.backlog import Named
from contracts.failures import ErrorCode
from contracts.vocabulary import TurnStatus
from engine.agents.product_owner import behaviour, context
from engine.agents.product_owner.agent import PRODUCT_OWNER
from engine.agents.product_owner.behaviour import State
from engine.domain.behaviour import Received, Step, ToolRan
from engine.domain.effects import CallModel
from engine.domain.tools import ToolOutcome
from tests.unit.engine.told import NOW, Told, answer, call

EPICS = ("E1", "E2", "E3")


def play(step: Step, *messages: Received) -> Step:
    for message in messages:
        assert isinstance(step.state, State)
        step = behaviour.handle(step.state, message, NOW)
    return step


def begun() -> Step:
    log = Told("product_owner")
    return behaviour.handle(behaviour.start(), log.began(log.say("Go on")), NOW)


def made(tool: str, **facts: str) -> tuple[Received, Received]:
    """The model calls a tool, and it goes well."""
    return answer("", call(tool, "{}", f"{tool}{facts}")), ToolRan(ToolOutcome("Made.", facts=facts))


def epic(code: str) -> tuple[Received, Received]:
    return made("create_epic", epic=code, title=f"Title of {code}")


def story(code: str) -> tuple[Received, Received]:
    return made("create_story", story="S-1", of_epic=code)


def refused() -> tuple[Received, Received]:
    asked = answer("", call("create_story", '{"epic": "E1"}', uuid4().hex))
    return asked, ToolRan(ToolOutcome("No.", ErrorCode.DUPLICATE_STORY, facts={}))


def charge(events: tuple[AgentWritten, ...]) -> tuple[str, ...]:
    """The codes that are charged, or nothing."""
    charges = [event for event in events if isinstance(event, EpicWithoutStory)]
    return tuple(named.code for charged in charges for named in charged.epics)


def test_rn_165_an_epic_without_a_story_is_charged_when_the_turn_ends() -> None:
    step = play(begun(), *epic("E1"), *epic("E2"), *story("E2"))
    assert charge(step.events) == ()
    step = play(step, answer("Done."))
    assert step.end is not None
    assert step.events[-1] == EpicWithoutStory(
        turn_id=step.state.turn_id,  # type: ignore[attr-defined]
        epics=(Named(code="E1", title="Title of E1"),),
    )
    assert step.state.debts == ()  # type: ignore[attr-defined]


def test_rn_165_a_refused_story_settles_nothing() -> None:
    assert charge(play(begun(), *epic("E1"), *refused(), answer("Done.")).events) == ("E1",)


def test_rn_165_a_debt_outlives_the_worker_and_not_the_turn() -> None:
    owing = play(begun(), *epic("E1")).state
    again = State.model_validate_json(owing.model_dump_json())
    step = behaviour.handle(again, answer("Done."), NOW)
    assert charge(step.events) == ("E1",)
    log = Told("product_owner")
    following = behaviour.handle(again, log.began(log.say("And now?")), NOW)
    assert charge(play(following, answer("Nothing.")).events) == ()


def test_rn_165_also_a_turn_that_fails_is_charged() -> None:
    step = play(begun(), *epic("E1"), answer(error=ErrorCode.PROVIDER_UNAVAILABLE))
    assert step.end is not None
    assert (step.end.status, charge(step.events)) == (TurnStatus.FAILED, ("E1",))


@given(st.lists(st.tuples(st.sampled_from(("epic", "story", "refused")), st.sampled_from(EPICS)), max_size=9))
def test_rn_165_exactly_what_is_unsettled_is_charged(acts: list[tuple[str, str]]) -> None:
    step, owed = begun(), list[str]()
    for act, code in acts:
        if act == "epic":
            step, owed = play(step, *epic(code)), [*owed, code]
        elif act == "story":
            step, owed = play(step, *story(code)), [each for each in owed if each != code]
        else:
            step = play(step, *refused())
        if step.end is not None:
            break
    final = step if step.end is not None else play(step, answer("Done."))
    assert charge(final.events) == tuple(owed)


def test_rn_166_the_ceiling_speaks() -> None:
    step, ceiling = begun(), ROSTER["product_owner"].ceiling
    for number in range(ceiling):
        assert step.end is None
        asked = answer("", call("list_backlog", "{}", str(number)))
        step = play(step, asked, ToolRan(ToolOutcome(f"{number} epics.")))
    assert step.end is not None
    assert (step.end.status, step.end.reason) == (TurnStatus.FAILED, ErrorCode.ITERATION_LIMIT)
    assert isinstance(step.events[-1], CeilingReached)
    assert (step.events[-1].iteration, step.events[-1].max_iterations) == (ceiling, ceiling)


def test_rn_162_questions_do_not_end_its_turn() -> None:
    step = play(begun(), *made("ask_structured_questions"))
    assert isinstance(step.effect, CallModel)


def briefed() -> tuple[Told, HandoffStarted]:
    log = Told("product_owner")
    rule = log.add(BusinessRule(title="Late return", description="It blocks.", origin=(1,), code="R-4"))
    log.add(BusinessRule(title="Of nobody", description="Not in the brief.", origin=(1,), code="R-5"))
    brief = log.add(ProductBrief(number=1, summary="A library for neighbours.", rules=(rule.id,)))
    log.add(ProductBrief(number=2, summary="Something later.", rules=(rule.id,)))
    started = HandoffStarted(
        handoff_id=uuid4(), from_agent="creative", to_agent="product_owner", artifact_event_id=brief.id
    )
    return log, started


def test_rn_165_the_kickoff_names_the_brief_its_rules_and_what_is_not_negotiable() -> None:
    log, started = briefed()
    told = context.say(log.add(started, "product_owner"), log.events)
    assert "Product brief:\nA library for neighbours." in told
    assert "R-4 “Late return”: It blocks." in told
    assert ("Of nobody" in told, "Something later" in told) == (False, False)
    assert "never leave one" in told
    assert "ask_structured_questions" in told


def test_a_kickoff_without_a_brief_says_where_to_begin() -> None:
    log = Told("product_owner")
    started = HandoffStarted(handoff_id=uuid4(), from_agent="creative", to_agent="product_owner")
    assert context.NO_BRIEF in context.say(log.add(started, "product_owner"), log.events)


def test_rn_048_a_story_that_came_back_takes_precedence() -> None:
    log = Told("product_owner")
    returned = StoryPromotionReturned(story_id=uuid4(), code="S-2", title="Borrow", reason="And late?")
    told = context.say(log.add(returned, "product_owner"), log.events)
    assert "gave S-2 “Borrow” back, and this comes before everything else" in told
    assert "And late?" in told


@pytest.mark.parametrize("name", behaviour.RULES.tools)
def test_every_tool_that_it_is_offered_is_wired(name: str) -> None:
    assert PRODUCT_OWNER.tools[name].spec.name == name
