"""Threat 12: where a workspace's words may be sent is said by its owners alone; and who set a price is on record."""

import json
from uuid import UUID

import pytest
from django.test import Client

from api.rooms.accounts.models import User
from api.rooms.gateway import catalogue
from api.rooms.gateway import services as gateway
from api.rooms.gateway.models import Model
from api.rooms.gateway.services.catalogue import ModelSpec
from contracts.problem import ProblemCode
from contracts.vocabulary import Role
from tests.api.rest.caller import PROVIDER, caller_of, problem_of
from tests.factories.places import Place, new_member, new_place

ADDRESS = "https://elsewhere.example.org/v1"
PRICE = {"input_micros": 5, "output_micros": 7}


@pytest.fixture
def place(db: None) -> Place:
    return new_place()


def bind(
    place: Place,
    user_id: UUID,
    base_url: str = ADDRESS,
    price: dict[str, int] | None = PRICE,
    context: int | None = None,
) -> int | ProblemCode:
    body = {"provider": PROVIDER, "base_url": base_url, "model": "m", "price": price, "context_tokens": context}
    path = f"/api/v1/projects/{place.project_id}/model-binding"
    answer = caller_of(user_id).send("PUT", path, json.dumps(body).encode())
    return answer.status_code if answer.status_code < 400 else problem_of(answer).code


def fill_in(place: Place, user_id: UUID) -> int:
    client = Client()
    client.force_login(User.objects.get(id=user_id))
    fields = {"base_url": ADDRESS, "model": "m", "price_in": "1", "price_out": "2"}
    return client.post(f"/projects/{place.project_id}/model", fields).status_code


def authors(place: Place) -> list[UUID | None]:
    """Who changed the price of the one model at the address."""
    model_id = Model.objects.get(base_url=ADDRESS).id
    return [change.changed_by for change in catalogue.price_changes(place.workspace_id, model_id)]


def test_a_maintainer_names_no_new_address(place: Place) -> None:
    maintainer = new_member(place, Role.MAINTAINER)
    assert bind(place, maintainer) is ProblemCode.FORBIDDEN
    assert fill_in(place, maintainer) == 403
    assert not Model.objects.filter(base_url=ADDRESS).exists()


@pytest.mark.parametrize("known_by", ["model", "key", "the provider's own"])
def test_a_maintainer_adds_no_model_at_an_address_that_there_is(place: Place, known_by: str) -> None:
    """RN-052: what is in use is decided by owners."""
    if known_by == "model":
        gateway.add_model(place.workspace_id, ModelSpec(PROVIDER, "other", ADDRESS))
    elif known_by == "key":
        gateway.store_credential(place.workspace_id, PROVIDER, ADDRESS, "sk-1")
    base_url = ADDRESS if known_by in ("model", "key") else ""
    assert bind(place, new_member(place, Role.MAINTAINER), base_url, price=None) is ProblemCode.FORBIDDEN


def test_a_maintainer_chooses_among_the_models_in_use(place: Place) -> None:
    gateway.add_model(place.workspace_id, ModelSpec(PROVIDER, "m", ADDRESS))
    assert bind(place, new_member(place, Role.MAINTAINER), price=None) == 200


@pytest.mark.parametrize("changes", ["the switch", "the price", "the context"])
def test_a_maintainers_choice_changes_nothing_about_a_model(place: Place, changes: str) -> None:
    model_id = gateway.add_model(place.workspace_id, ModelSpec(PROVIDER, "m", ADDRESS))
    gateway.set_active(place.workspace_id, model_id, is_active=changes != "the switch")
    context = 64_000 if changes == "the context" else None
    price = PRICE if changes == "the price" else None
    before = catalogue.model_of(place.workspace_id, model_id)
    refused = bind(place, new_member(place, Role.MAINTAINER), price=price, context=context)
    assert refused is ProblemCode.FORBIDDEN
    assert catalogue.model_of(place.workspace_id, model_id) == before


def test_a_model_of_another_workspace_is_not_in_use_here(place: Place) -> None:
    gateway.add_model(new_place().workspace_id, ModelSpec(PROVIDER, "m", ADDRESS))
    assert bind(place, new_member(place, Role.MAINTAINER), price=None) is ProblemCode.FORBIDDEN


def test_an_owner_names_an_address_and_the_price_says_who_set_it(place: Place) -> None:
    assert bind(place, place.user_id) == 200
    assert fill_in(place, place.user_id) == 302
    assert authors(place) == [place.user_id, place.user_id]


@pytest.mark.parametrize("figure", [2**63, 10**30])
def test_a_price_beyond_reason_is_refused_by_name(place: Place, figure: int) -> None:
    model_id = gateway.add_model(place.workspace_id, ModelSpec(PROVIDER, "m", ADDRESS))
    path = f"/api/v1/workspaces/{place.workspace_id}/models/{model_id}"
    names = ("input_micros", "cache_read_micros", "cache_write_micros", "output_micros")
    body = {"price": dict.fromkeys(names, figure)}
    answer = caller_of(place.user_id).send("PATCH", path, json.dumps(body).encode())
    assert problem_of(answer).code is ProblemCode.INVALID_PARAMETER
