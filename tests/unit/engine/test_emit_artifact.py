"""emit_artifact: what is stored, what is refused, and what the model is told."""

import json
from typing import Any
from uuid import uuid4

import pytest

from contracts.artifacts import BusinessRule, CitedRule, Note
from contracts.failures import ErrorCode
from contracts.problem import Problem, ProblemCode
from contracts.routes.effects import EMIT_ARTIFACT, EventWritten
from engine.domain.tools import ToolOutcome
from engine.tools import emit_artifact as emit
from tests.unit.engine.asking import Api
from tests.unit.engine.told import Told

# emit_artifact


RULE = {"title": " Atraso ", "description": "Bloqueia.", "origin": [1]}


async def emitted(
    payload: Any, kind: str = "business_rule", refusal: Problem | None = None
) -> tuple[ToolOutcome, list[Any]]:
    """The outcome, and what reached the api."""
    log = Told()
    log.say("livro atrasado bloqueia")

    answer = refusal or EventWritten(event=log.add(Note(title="t", body="b")))
    api = Api({EMIT_ARTIFACT: answer})
    outcome = await emit.run({"type": kind, "payload": payload}, api.scope(*log.events))
    return outcome, [] if refusal else [asked["artifact"] for asked in api.asked]


async def test_a_rule_is_stored_with_its_origin() -> None:
    outcome, stored = await emitted(RULE)
    assert outcome.ok
    assert stored == [BusinessRule(title="Atraso", description="Bloqueia.", origin=(1,))]


@pytest.mark.parametrize(
    "payload",
    [
        {**RULE, "origin": []},
        {**RULE, "origin": ["1"]},
        {**RULE, "origin": [True]},
        {**RULE, "title": "  "},
        {**RULE, "extra": 1},
        {**RULE, "description": "a\x00b"},
        {"title": "t"},
        "text",
        None,
    ],
)
async def test_an_invalid_rule_is_not_stored_and_said_to_the_model(payload: Any) -> None:
    outcome, stored = await emitted(payload)
    assert (outcome.ok, stored) == (False, [])


async def test_rn_061_an_origin_that_is_no_message_is_refused_with_those_that_are() -> None:
    outcome, stored = await emitted({**RULE, "origin": [1, 99]})
    assert (outcome.code, stored) == (ErrorCode.INVALID_ARTIFACT, [])
    assert ("99" in outcome.text, outcome.text.endswith("Messages you may name: 1.")) == (True, True)


async def test_rn_080_a_duplicate_is_an_ordinary_error_that_names_the_existing_title() -> None:
    facts = {"existing": "Atraso na devolução"}
    problem = Problem(title="t", status=409, code=ProblemCode.DUPLICATE_RULE, detail="Go on.", facts=facts)
    outcome, _ = await emitted(RULE, refusal=problem)
    assert (outcome.code, "Atraso na devolução" in outcome.text) == (ErrorCode.DUPLICATE_RULE, True)


async def test_a_rule_of_another_session_is_told_in_the_words_that_count() -> None:
    cites = CitedRule(event_id=uuid4(), session_id=uuid4(), seq=7)
    first = BusinessRule(title="Atraso", description="Bloqueia por sete dias.", origin=(1,), cites=cites)

    log = Told()
    log.say("livro atrasado bloqueia")
    api = Api({EMIT_ARTIFACT: EventWritten(event=log.add(first))})
    outcome = await emit.run({"type": "business_rule", "payload": RULE}, api.scope(*log.events))
    assert (outcome.ok, outcome.text.endswith("Bloqueia por sete dias.")) == (True, True)


async def test_the_brief_is_not_the_models_to_write() -> None:
    outcome, stored = await emitted({"title": "t", "summary": "s"}, kind="product_brief")
    assert (outcome.ok, stored) == (False, [])


def test_the_description_names_the_fields_of_each_type_with_a_filled_example() -> None:
    text = emit.SPEC.description
    examples = [line[line.index("{") :] for line in text.splitlines() if "Example:" in line]
    for example in examples:
        assert not isinstance(emit.read(json.loads(example)), ToolOutcome)
    assert len(examples) == 2


@pytest.mark.parametrize("code", [ProblemCode.INVALID_ARTIFACT, ProblemCode.INVALID_BACKLOG])
def test_a_rule_that_is_not_there_to_be_superseded_is_told_to_the_model(code: ProblemCode) -> None:
    problem = Problem(type="about:blank", title="Refused", status=422, code=code, detail="There is no rule R-9.")
    told = emit.of_refusal(BusinessRule(title="Bread", description="Sold.", origin=(3,)), problem)
    assert told is not None
    assert (told.code, "R-9" in told.text) == (ErrorCode.INVALID_ARTIFACT, True)
