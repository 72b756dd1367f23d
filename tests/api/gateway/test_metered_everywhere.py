"""What each provider's streams cost, behind the whole gateway: exact, estimated, or estimated and partial (F14)."""

from typing import Any

import pytest
from pytest_django import Settings

from api.rooms.budgets.models import Hold, TokenUsage
from api.rooms.gateway.services.catalogue import ModelSpec
from contracts.failures import ErrorCode
from tests.api.gateway.asking import KEY
from tests.api.gateway.dialects import DIALECTS, Dialect
from tests.api.gateway.scene import CENT_A_THOUSAND, Scene, db, hear
from tests.fakes.model_server import ModelServer, Reply

EXACT_MICROS = 1000 * 10 + 50 * 10
STREAMS: dict[str, dict[str, Any]] = {
    "usage at the end": {"usage": "last_chunk"},
    "none": {"usage": "none"},
    "all zeros": {"usage": "zeros"},
    "cut before the end": {"usage": "none", "cut": "close"},
}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.name)
@pytest.mark.parametrize("kind", list(STREAMS))
async def test_f14_a_stream_is_never_metered_as_nothing(
    scene: Scene, server: ModelServer, settings: Settings, dialect: Dialect, kind: str
) -> None:
    """One usage row for each hold, nothing held afterwards, and never zero."""
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = True
    spec = ModelSpec(dialect.name, "fake", dialect.url(server))
    await db(scene.bind)(spec, CENT_A_THOUSAND, secret=KEY)
    changes = dict(STREAMS[kind])
    if "cut" in changes:
        changes["after"] = dialect.opening + 3
    server.play(Reply(text="one two three four five", delay_ms=5, **changes))
    heard = await hear(scene, scene.call())
    row = await db(TokenUsage.objects.get)()
    assert row.is_estimated is (kind != "usage at the end")
    assert row.cost_micros == EXACT_MICROS if kind == "usage at the end" else (row.cost_micros or 0) > 0
    assert (heard.final.error is not None) is (kind == "cut before the end")
    assert await db(list)(Hold.objects.values_list("status", flat=True)) == ["settled"]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.name)
async def test_f24_a_key_that_a_refusal_quotes_is_nowhere(
    scene: Scene, server: ModelServer, settings: Settings, dialect: Dialect
) -> None:
    """Whatever shape the refusal has."""
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = True
    await db(scene.bind)(ModelSpec(dialect.name, "fake", dialect.url(server)), CENT_A_THOUSAND, secret=KEY)
    server.play(Reply(status=401, body=f'{{"error": {{"message": "Incorrect API key provided: {KEY}"}}}}'))
    heard = await hear(scene, scene.call())
    assert heard.final.error is not None
    assert heard.final.error.code is ErrorCode.CREDENTIAL_REJECTED
    assert KEY not in heard.final.model_dump_json()
