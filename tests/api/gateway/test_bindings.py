"""session > agent > area > project > workspace, with the origin of what was chosen; and what the catalogue knows."""

import pytest

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway import selectors
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.gateway.models import Model, PriceChange
from api.rooms.gateway.services.catalogue import ModelSpec
from api.rooms.gateway.services.prices import price_of
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal
from tests.api.gateway.scene import Scene


def _spec(name: str, **more: bool) -> ModelSpec:
    return ModelSpec("openai_compatible", name, "https://api.example.org/v1", **more)


def test_the_narrowest_binding_wins(scene: Scene) -> None:
    levels = [
        Subject(Level.WORKSPACE, scene.workspace_id),
        Subject(Level.PROJECT, scene.project_id),
        Subject(Level.AGENT, scene.project_id, "creative"),
        Subject(Level.SESSION, scene.session_id),
    ]
    for subject in levels:
        gateway.bind(scene.workspace_id, subject, _spec(subject.level))
        found = selectors.resolve(scene.session_id, "creative")
        assert found is not None
        assert (found.origin, found.model) == (subject.level, subject.level.value)
    gateway.unbind(scene.workspace_id, levels[-1])
    found = selectors.resolve(scene.session_id, "creative")
    assert found is not None
    assert found.origin is Level.AGENT


def test_an_area_binding_reaches_its_agents_alone(scene: Scene) -> None:
    gateway.bind(scene.workspace_id, Subject(Level.AREA, scene.project_id, "qa"), _spec("for-qa"))
    found = selectors.resolve(scene.session_id, "qa_lead")
    assert found is not None
    assert found.origin is Level.AREA
    assert selectors.resolve(scene.session_id, "creative") is None


def test_a_model_without_tools_is_passed_over_when_tools_are_offered_and_this_is_told(scene: Scene) -> None:
    gateway.bind(scene.workspace_id, Subject(Level.WORKSPACE, scene.workspace_id), _spec("able"))
    gateway.bind(scene.workspace_id, Subject(Level.SESSION, scene.session_id), _spec("mute", has_tools=False))
    found = selectors.resolve(scene.session_id, "creative", needs_tools=True)
    assert found is not None
    assert (found.model, found.passed_over) == ("able", (Subject(Level.SESSION, scene.session_id),))
    plain = selectors.resolve(scene.session_id, "creative")
    assert plain is not None
    assert plain.model == "mute"


def test_another_workspaces_model_cannot_be_bound(scene: Scene) -> None:
    foreign = gateway.add_model(new_id(), _spec("foreign"))
    with pytest.raises(Refusal):
        gateway.bind(scene.workspace_id, Subject(Level.WORKSPACE, scene.workspace_id), foreign)


def test_a_known_model_at_its_own_address_is_priced_by_the_table(scene: Scene) -> None:
    gateway.add_model(scene.workspace_id, ModelSpec("openai_compatible", "gpt-4o-mini"))
    row = Model.objects.get()
    price = price_of(row)
    assert price is not None
    assert price.rates_for(10).input == 150_000
    assert price.rates_for(10).output == 600_000
    assert row.context_tokens == 128_000


def test_the_same_name_at_another_address_is_unpriced(scene: Scene) -> None:
    gateway.add_model(scene.workspace_id, _spec("gpt-4o-mini"))
    assert price_of(Model.objects.get()) is None


def test_a_price_by_hand_wins_and_leaves_its_history(scene: Scene) -> None:
    model_id = gateway.add_model(scene.workspace_id, ModelSpec("openai_compatible", "gpt-4o-mini"))
    gateway.set_price(scene.workspace_id, model_id, Rates(1, 2, 3, 4))
    gateway.set_price(scene.workspace_id, model_id, Rates(5, 6, 7, 8))
    price = price_of(Model.objects.get())
    assert price is not None
    assert price.rates_for(1) == Rates(5, 6, 7, 8)
    assert PriceChange.objects.count() == 2


def test_only_a_private_address_may_cost_nothing(scene: Scene) -> None:
    model_id = gateway.add_model(scene.workspace_id, _spec("dear"))
    with pytest.raises(Refusal):
        gateway.set_price(scene.workspace_id, model_id, Rates(0, 0, 0, 0))


def test_model_facts_say_what_an_agent_is_told(rehearsing: Scene) -> None:
    facts = selectors.model_facts(rehearsing.session_id, "creative")
    assert (facts.provider, facts.model, facts.is_rehearsal) == ("rehearsal", "rehearsal", True)
    assert facts.context_tokens > 0
