"""Models as providers list them: found, gone, back, priced; and a provider that fails takes nothing away."""

import asyncio
import socketserver
import threading
import time
from contextlib import suppress
from typing import Any

import pytest
from django.db import DatabaseError

from api.housekeeping import CHORES
from api.relay.calendar import run_due
from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway import catalogue
from api.rooms.gateway import services as gateway
from api.rooms.gateway.catalogue import ModelCard, SyncState
from api.rooms.gateway.chains import chain_of
from api.rooms.gateway.domain.bindings import Level, PassedOver, Subject
from api.rooms.gateway.domain.listing import KeyVerdict, ListedModel, plausible
from api.rooms.gateway.models import Model, PriceChange
from api.rooms.gateway.services.catalogue import DEFAULT_CONTEXT_TOKENS, ModelSpec
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal
from contracts.failures import ErrorCode
from tests.api.gateway.scene import Scene, db
from tests.fakes.model_server import ModelServer

KEY = "sk-canary-4711"
MANUAL = Rates(7, 7, 7, 9)
HOSTILE: tuple[dict[str, Any], ...] = (
    {"id": "b", "context_length": 10**30},
    {"id": "b", "top_provider": {"max_completion_tokens": 2**40}},
    {"id": "b", "pricing": {"prompt": "1e30", "completion": "1e30"}},
    {"id": "b", "pricing": {"input": 1e300, "output": 1e300}},
    {"id": "b\x00\ud800"},
)


def listing(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"data": list(rows)}


def priced(model: str, prompt: str, completion: str, **more: Any) -> dict[str, Any]:
    """As OpenRouter says it: dollars a token, as text."""
    return {"id": model, "pricing": {"prompt": prompt, "completion": completion}, **more}


@pytest.fixture
def sourced(scene: Scene, server: ModelServer) -> Scene:
    """The scene with a key for the server."""
    gateway.store_credential(scene.workspace_id, "openai_compatible", server.url, KEY)
    return scene


async def sync(scene: Scene) -> ErrorCode | None:
    """Read the one address there is."""
    (done,) = await gateway.sync_workspace(scene.workspace_id)
    return done.code


async def cards(scene: Scene) -> dict[str, ModelCard]:
    return {card.name: card for card in await db(catalogue.models_of)(scene.workspace_id)}


async def test_rn_051_what_is_found_waits_for_a_person(sourced: Scene, server: ModelServer) -> None:
    facts = {
        "context_length": 64_000,
        "supported_parameters": ["tools"],
        "architecture": {"input_modalities": ["text"]},
    }
    server.listing = listing({"id": "plain"}, priced("rich", "0.000003", "0.000015", name="Rich", **facts))
    assert await sync(sourced) is None
    found = await cards(sourced)
    rich = found["rich"]
    assert {name: card.is_active for name, card in found.items()} == {"plain": False, "rich": False}
    assert (rich.display_name, rich.context_tokens, rich.has_tools, rich.has_vision) == ("Rich", 64_000, True, False)
    assert (rich.rates, rich.price_source) == (Rates(3_000_000, 3_000_000, 3_000_000, 15_000_000), "sync")
    assert found["plain"].rates is None


async def test_rn_043_gone_is_unavailable_and_back_is_as_it_was(sourced: Scene, server: ModelServer) -> None:
    server.listing = listing({"id": "a"}, {"id": "b"})
    await sync(sourced)
    chosen = (await cards(sourced))["a"].id
    await db(gateway.set_active)(sourced.workspace_id, chosen, is_active=True)
    server.listing = listing({"id": "b"})
    await sync(sourced)
    gone = (await cards(sourced))["a"]
    server.listing = listing({"id": "a"}, {"id": "b"})
    await sync(sourced)
    back = (await cards(sourced))["a"]
    assert (gone.is_retired, gone.is_active, gone.id) == (True, True, chosen)
    assert (back.is_retired, back.is_active, back.id) == (False, True, chosen)


@pytest.mark.parametrize("kind", ["refused", "no such route", "empty", "unreachable"])
async def test_a_provider_that_fails_leaves_what_is_known_untouched(
    sourced: Scene, server: ModelServer, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.listing = listing(priced("a", "0.000001", "0.000002"))
    await sync(sourced)
    before = await cards(sourced)
    if kind == "unreachable":
        monkeypatch.setattr("api.rooms.gateway.domain.addresses.may_connect", lambda *_, **__: False)
    server.keys = frozenset({"another"}) if kind == "refused" else None
    server.listing = {"refused": server.listing, "no such route": None, "empty": listing()}.get(kind, server.listing)
    expected = {
        "refused": ErrorCode.CREDENTIAL_REJECTED,
        "no such route": ErrorCode.REQUEST_REJECTED,
        "empty": ErrorCode.NOT_A_MODEL_ANSWER,
        "unreachable": ErrorCode.MODEL_NOT_ALLOWED,
    }[kind]
    assert await sync(sourced) is expected
    assert await cards(sourced) == before
    (state,) = await db(catalogue.syncs_of)(sourced.workspace_id)
    assert isinstance(state, SyncState)
    assert (state.error_code, state.listed, state.succeeded_at is not None) == (expected.value, 1, True)
    assert KEY not in state.diagnosis


async def test_silence_on_a_facet_preserves_what_is_known(sourced: Scene, server: ModelServer) -> None:
    server.listing = listing({"id": "a", "context_length": 99_000, "supported_parameters": []})
    await sync(sourced)
    server.listing = listing({"id": "a"})
    await sync(sourced)
    kept = (await cards(sourced))["a"]
    assert (kept.context_tokens, kept.has_tools) == (99_000, False)


async def test_rn_044_a_manual_price_beats_the_providers(sourced: Scene, server: ModelServer) -> None:
    server.listing = listing(priced("a", "0.000001", "0.000002"))
    await sync(sourced)
    model_id = (await cards(sourced))["a"].id
    by = new_id()
    await db(gateway.set_price)(sourced.workspace_id, model_id, MANUAL, by)
    await db(gateway.set_price)(sourced.workspace_id, model_id, MANUAL, by)
    server.listing = listing(priced("a", "0.000005", "0.000006"))
    await sync(sourced)
    manual = (await cards(sourced))["a"]
    await db(gateway.forget_price)(sourced.workspace_id, model_id, by)
    await sync(sourced)
    listed = (await cards(sourced))["a"]
    assert (manual.rates, manual.price_source) == (MANUAL, "manual")
    assert (listed.rates, listed.price_source) == (Rates(5_000_000, 5_000_000, 5_000_000, 6_000_000), "sync")


async def test_rn_056_every_change_of_a_price_is_a_row_and_the_same_price_is_none(
    sourced: Scene, server: ModelServer
) -> None:
    server.listing = listing(priced("a", "0.000001", "0.000002"))
    await sync(sourced)
    await sync(sourced)
    model_id, by = (await cards(sourced))["a"].id, new_id()
    await db(gateway.set_price)(sourced.workspace_id, model_id, MANUAL, by)
    changes = await db(catalogue.price_changes)(sourced.workspace_id, model_id)
    first = Rates(1_000_000, 1_000_000, 1_000_000, 2_000_000)
    assert [(each.source, each.changed_by, each.before, each.after) for each in changes] == [
        ("manual", by, first, MANUAL),
        ("sync", None, None, first),
    ]
    assert await db(catalogue.price_changes)(new_id(), model_id) == ()


async def test_one_address_that_fails_takes_nothing_from_another(sourced: Scene, server: ModelServer) -> None:
    with ModelServer() as other:
        other.listing = listing({"id": "there"})
        await db(gateway.store_credential)(sourced.workspace_id, "openai_compatible", other.url, "")
        done = await gateway.sync_workspace(sourced.workspace_id)
    assert sorted(str(each.code) for each in done) == ["None", "request_rejected"]
    assert set(await cards(sourced)) == {"there"}


@pytest.mark.parametrize("row", HOSTILE, ids=lambda row: next(iter(row.keys() - {"id"}), "id"))
async def test_a_list_that_no_row_can_hold_is_taken_as_far_as_it_makes_sense(
    sourced: Scene, server: ModelServer, row: dict[str, Any]
) -> None:
    """A stranger's figures are silence where they cannot be true; its neighbours are read."""
    server.listing = listing({"id": "a"}, row)
    assert await sync(sourced) is None
    found = await cards(sourced)
    assert {(card.context_tokens, card.max_output_tokens, card.rates) for card in found.values()} == {
        (DEFAULT_CONTEXT_TOKENS, None, None)
    }


async def test_names_that_no_database_takes_are_mended_for_every_provider(scene: Scene) -> None:
    odd = ListedModel("a\x00b", "c\x00d", context_tokens=2**40)
    assert plausible(odd) == ListedModel("a\ufffdb", "c\ufffdd")
    assert plausible(ListedModel("x" * 201)) is None


async def test_two_readings_at_once_find_each_model_once(sourced: Scene, server: ModelServer) -> None:
    """Somebody presses the button while the calendar reads."""
    server.listing = listing(*({"id": f"m{number}"} for number in range(40)))
    done = await asyncio.gather(*(gateway.sync_workspace(sourced.workspace_id) for _ in range(4)))
    assert [each.code for (each,) in done] == [None] * 4
    assert len(await cards(sourced)) == 40


async def test_what_is_listed_beyond_what_is_kept_is_not_gone(
    sourced: Scene, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.rooms.gateway.services.taking_up.MAX_KNOWN", 2)
    server.listing = listing({"id": "a"}, {"id": "b"}, {"id": "c"})
    await sync(sourced)
    server.listing = listing({"id": "c"}, {"id": "b"}, {"id": "a"})
    await sync(sourced)
    assert {name: card.is_retired for name, card in (await cards(sourced)).items()} == {"a": False, "b": False}


class _Dripping(socketserver.BaseRequestHandler):
    """Begins to answer, and goes on for ever."""

    def handle(self) -> None:
        self.request.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
        with suppress(OSError):
            for _ in range(400):
                self.request.sendall(b" ")
                time.sleep(0.02)


async def test_a_list_that_drips_for_ever_ends_the_reading_and_the_key_test(
    scene: Scene, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or one address would hold up the calendar of all."""
    monkeypatch.setattr("api.rooms.gateway.services.sources.MAX_READ_S", 0.2)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Dripping) as dripping:
        threading.Thread(target=dripping.serve_forever, args=(0.05,), daemon=True).start()
        url = f"http://127.0.0.1:{dripping.server_address[1]}/v1"
        await db(gateway.store_credential)(scene.workspace_id, "openai_compatible", url, KEY)
        assert await sync(scene) is ErrorCode.PROVIDER_TIMEOUT
        answer = await gateway.check_key(scene.workspace_id, "openai_compatible", url, KEY)
        dripping.shutdown()
    assert (answer.verdict, answer.code) == (KeyVerdict.REFUSED, ErrorCode.PROVIDER_TIMEOUT)


def test_rn_056_changes_of_prices_are_only_ever_added_to(scene: Scene) -> None:
    model_id = gateway.add_model(scene.workspace_id, ModelSpec("openai_compatible", "a", "https://api.example.org/v1"))
    gateway.set_price(scene.workspace_id, model_id, MANUAL)
    for harm in (lambda: PriceChange.objects.update(output_rate=1), lambda: PriceChange.objects.all().delete()):
        with pytest.raises(DatabaseError):
            harm()
    assert PriceChange.objects.get().output_rate == MANUAL.output


def test_the_schedule_reads_every_workspace_once_a_period(sourced: Scene, server: ModelServer) -> None:
    """By the relay's calendar: two looks are one reading."""
    server.listing = listing({"id": "a"})
    chore = tuple(each for each in CHORES if each.name == "catalogue")
    run_due(chore)
    run_due(chore)
    assert (len(server.requests), Model.objects.get().name) == (1, "a")


def test_rn_052_a_model_that_is_off_is_not_bound_and_is_passed_over(scene: Scene) -> None:
    spec = ModelSpec("openai_compatible", "a", "https://api.example.org/v1")
    model_id = gateway.add_model(scene.workspace_id, spec)
    gateway.bind(scene.workspace_id, Subject(Level.PROJECT, scene.project_id), model_id)
    gateway.set_active(scene.workspace_id, model_id, is_active=False)
    with pytest.raises(Refusal, match="switched off"):
        gateway.bind(scene.workspace_id, Subject(Level.WORKSPACE, scene.workspace_id), model_id)
    chain = chain_of(scene.workspace_id, scene.project_id)
    assert [(link.subject.level, link.passed_over) for link in chain.links] == [
        (Level.PROJECT, PassedOver.UNAVAILABLE),
        (Level.WORKSPACE, None),
    ]
    assert chain.chosen is None


def test_rn_040_an_agent_is_not_bound_to_a_model_without_tools(scene: Scene) -> None:
    spec = ModelSpec("openai_compatible", "mute", "https://api.example.org/v1", has_tools=False)
    with pytest.raises(Refusal, match="tools"):
        gateway.bind(scene.workspace_id, Subject(Level.AGENT, scene.project_id, "creative"), spec)


def test_rn_072_what_is_inherited_says_from_where_and_can_be_inherited_again(scene: Scene) -> None:
    one, two = (ModelSpec("openai_compatible", name, "https://api.example.org/v1") for name in ("one", "two"))
    session = Subject(Level.SESSION, scene.session_id)
    gateway.bind(scene.workspace_id, Subject(Level.WORKSPACE, scene.workspace_id), one)
    gateway.bind(scene.workspace_id, session, two)
    own = chain_of(scene.workspace_id, scene.project_id, scene.session_id)
    assert gateway.unbind(scene.workspace_id, session)
    assert not gateway.unbind(scene.workspace_id, session)
    inherited = chain_of(scene.workspace_id, scene.project_id, scene.session_id)
    assert own.chosen is not None
    assert inherited.chosen is not None
    assert (own.is_inherited, own.chosen.subject.level) == (False, Level.SESSION)
    assert (inherited.is_inherited, inherited.chosen.subject.level) == (True, Level.WORKSPACE)


async def test_rn_040_a_model_that_is_named_keeps_what_its_provider_said(sourced: Scene, server: ModelServer) -> None:
    """Naming it makes it usable; it gives it no tools, no context and no place in the list."""
    mute = {"id": "mute", "context_length": 99_000, "supported_parameters": []}
    server.listing = listing(mute, {"id": "gone"})
    await sync(sourced)
    server.listing = listing(mute)
    await sync(sourced)
    agent = Subject(Level.AGENT, sourced.project_id, "creative")
    for name, reason in (("mute", "tools"), ("gone", "lists it no longer")):
        with pytest.raises(Refusal, match=reason):
            await db(gateway.bind)(sourced.workspace_id, agent, ModelSpec("openai_compatible", name, server.url))
    await db(gateway.add_model)(sourced.workspace_id, ModelSpec("openai_compatible", "mute", server.url))
    known = (await cards(sourced))["mute"]
    assert (known.is_active, known.has_tools, known.context_tokens) == (True, False, 99_000)
