"""Usage and cost of payloads in the shapes that three providers document, against sums made by hand."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway.domain import prices
from contracts.money import Usage
from tests.api.gateway.dialects import ANTHROPIC, GEMINI, OPENAI, Dialect
from tests.fakes.model_server import ModelServer, Reply
from tests.fakes.model_server.wires import wire_of

FOLDER = Path(__file__).parent / "recorded"
PATHS = {"openai": "/chat/completions", "anthropic": "/messages", "gemini": ":streamGenerateContent"}
CASES = [
    pytest.param(dialect, name, case, id=f"{name}: {case['name']}")
    for name, dialect in (("openai", OPENAI), ("anthropic", ANTHROPIC), ("gemini", GEMINI))
    for case in json.loads((FOLDER / f"{name}.json").read_text())
]


@pytest.mark.parametrize(("dialect", "name", "case"), CASES)
async def test_usage_and_cost_equal_the_sum_made_by_hand(
    server: ModelServer, dialect: Dialect, name: str, case: dict[str, Any]
) -> None:
    """To six decimals of a dollar, which is one micro."""
    wire = wire_of(PATHS[name])
    stream = [wire.event(event, Reply()).hex() for event in case["events"]]
    stream += [wire.event("[DONE]", Reply()).hex()] if case.get("done") else []
    answer = await dialect.ask(server, Reply(raw=stream))
    usage = answer.reception.usage
    assert answer.failure is None
    assert usage == Usage(**case["usage"])
    micros = prices.cost(prices.flat(Rates(**case["price"])), usage)
    assert Decimal(micros) / 1_000_000 == Decimal(case["dollars"])
