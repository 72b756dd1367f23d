"""F35: a model that is retired is named, and a declared fallback answers once."""

import pytest

from api.rooms.budgets.models import Hold, TokenUsage
from api.rooms.gateway import services as gateway
from api.rooms.gateway.services.catalogue import ModelSpec
from contracts.events import ModelFellBack
from contracts.failures import ORIGINS, ErrorCode, FailureOrigin
from tests.api.gateway.dialects import DIALECTS, Dialect
from tests.api.gateway.scene import CENT_A_THOUSAND, Scene, db, hear, last
from tests.fakes.model_server import ModelServer, Reply

GONE = Reply(status=404, body="{}")


def declare(scene: Scene, server: ModelServer, fallback: str = "there") -> None:
    """`fake` is bound; `fallback` is what a call goes to when it is gone."""
    bound = gateway.add_model(scene.workspace_id, ModelSpec("openai_compatible", "fake", server.url))
    other = gateway.add_model(scene.workspace_id, ModelSpec("openai_compatible", fallback, server.url))
    gateway.set_price(scene.workspace_id, other, CENT_A_THOUSAND)
    gateway.set_fallback(scene.workspace_id, bound, other)


@pytest.mark.parametrize("status", [404, 410])
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.name)
async def test_f35_the_error_names_agent_provider_and_model(
    scene: Scene, server: ModelServer, dialect: Dialect, status: int
) -> None:
    await db(scene.bind)(ModelSpec(dialect.name, "fake", dialect.url(server)), CENT_A_THOUSAND, secret="")
    server.play(Reply(status=status, body="{}"))
    error = (await hear(scene, scene.call())).final.error
    assert error is not None
    assert (error.code, ORIGINS[error.code]) == (ErrorCode.MODEL_NOT_FOUND, FailureOrigin.CODE)
    assert error.facts == {"agent": "creative", "provider": dialect.name, "model": "fake"}
    assert len(server.requests) == 1


async def test_f35_a_declared_fallback_answers_and_is_logged(served: Scene, server: ModelServer) -> None:
    await db(declare)(served, server)
    server.play(GONE, Reply(text="from there"))
    heard = await hear(served, served.call())
    assert (heard.text, heard.final.error) == ("from there", None)
    assert [request.body["model"] for request in server.requests] == ["fake", "there"]
    assert heard.final.bill is not None
    assert heard.final.bill.model == "there"
    told = await last(served, ModelFellBack)
    assert (told.agent, told.model, told.fallback_model) == ("creative", "fake", "there")
    rows = await db(list)(TokenUsage.objects.order_by("created_at").values_list("model", "error_code", "outcome"))
    assert rows == [("fake", "model_not_found", "failed"), ("there", "", "completed")]
    assert await db(list)(Hold.objects.values_list("status", flat=True)) == ["settled", "settled"]


async def test_f35_a_fallback_is_used_once(served: Scene, server: ModelServer) -> None:
    await db(declare)(served, server)
    server.play(GONE, GONE, Reply(text="never asked"))
    heard = await hear(served, served.call())
    assert heard.final.error is not None
    assert (heard.final.error.code, heard.final.error.facts["model"]) == (ErrorCode.MODEL_NOT_FOUND, "there")
    assert len(server.requests) == 2


async def test_a_fallback_that_is_off_is_none(served: Scene, server: ModelServer) -> None:
    await db(declare)(served, server)
    there = await db(gateway.add_model)(served.workspace_id, ModelSpec("openai_compatible", "there", server.url))
    await db(gateway.set_active)(served.workspace_id, there, is_active=False)
    server.play(GONE)
    assert (await hear(served, served.call())).final.error is not None
    assert len(server.requests) == 1


async def test_another_failure_does_not_fall_back(served: Scene, server: ModelServer) -> None:
    await db(declare)(served, server)
    server.play(Reply(status=401, body="{}"))
    error = (await hear(served, served.call())).final.error
    assert error is not None
    assert (error.code, len(server.requests)) == (ErrorCode.CREDENTIAL_REJECTED, 1)
