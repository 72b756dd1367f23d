"""Models and keys on the pages: found, switched, priced, chosen and inherited; keys tested, kept and never shown."""

import re
from collections.abc import Callable
from uuid import UUID

import pytest
from django.test import Client

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway import catalogue
from api.rooms.gateway import services as gateway
from api.rooms.gateway.chains import chain_of
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.gateway.domain.uses import ModelUse
from api.rooms.gateway.providers.presets import PRESETS, Preset
from api.rooms.gateway.selectors import credentials_of
from api.rooms.gateway.services import ModelSpec
from api.surfaces.web.pages.models import MAX_SHOWN
from contracts.vocabulary import Role
from tests.factories.places import Place, new_member

Browser = Callable[[UUID], Client]
ADDRESS = "https://models.example.org/v1"
COMPATIBLE = "openai_compatible"


def known(place: Place, name: str, *, has_tools: bool = True, is_active: bool = True) -> UUID:
    model_id = gateway.add_model(place.workspace_id, ModelSpec(COMPATIBLE, name, ADDRESS, has_tools=has_tools))
    gateway.set_active(place.workspace_id, model_id, is_active=is_active)
    return model_id


def card(place: Place, model_id: UUID) -> catalogue.ModelCard:
    return next(each for each in catalogue.models_of(place.workspace_id) if each.id == model_id)


def chosen(place: Place, *, agent: str | None = None) -> tuple[str, Level | None]:
    link = chain_of(place.workspace_id, place.project_id, None, agent).chosen
    return (link.model.name, link.subject.level) if link and link.model else ("", None)


def test_words_find_a_model_by_name_and_address(place: Place, signed_in: Browser) -> None:
    known(place, "large-one"), known(place, "small-one")
    page = signed_in(place.user_id).get(f"/workspaces/{place.workspace_id}/models?q=LARGE+example").content.decode()
    assert ("large-one" in page, "small-one" in page) == (True, False)


def test_a_long_list_shows_its_beginning_until_all_is_asked_for(place: Place, signed_in: Browser) -> None:
    for number in range(MAX_SHOWN + 5):
        known(place, f"m-{number:03}", is_active=False)
    client, path = signed_in(place.user_id), f"/workspaces/{place.workspace_id}/models"
    short, whole = (client.get(address).content.decode().count('name="on"') for address in (path, path + "?all=1"))
    assert (short, whole) == (MAX_SHOWN, MAX_SHOWN + 5)


def test_a_model_is_switched_off_and_the_filter_is_kept(place: Place, signed_in: Browser) -> None:
    model_id, path = known(place, "m"), f"/workspaces/{place.workspace_id}/models?q=m"
    response = signed_in(place.user_id).post(path, {"off": str(model_id)})
    assert (response["Location"], card(place, model_id).is_active) == (path, False)


def test_a_price_by_hand_is_kept_with_who_set_it_and_can_be_forgotten(place: Place, signed_in: Browser) -> None:
    model_id, client = known(place, "m"), signed_in(place.user_id)
    path = f"/workspaces/{place.workspace_id}/models/{model_id}"
    client.post(path, {"do": "price", "price_in": "1,5", "price_out": "2", "price_cache_read": "0.15"})
    priced = card(place, model_id)
    shown = "Ana" in client.get(path).content.decode()
    client.post(path, {"do": "forget-price"})
    assert (priced.rates, shown) == (Rates(1_500_000, 150_000, 1_500_000, 2_000_000), True)
    assert card(place, model_id).rates is None


@pytest.mark.parametrize(("typed", "status"), [("", 400), ("-1", 400), ("cheap", 400), ("1e99", 400), ("0", 400)])
def test_a_price_that_is_none_changes_nothing(typed: str, status: int, place: Place, signed_in: Browser) -> None:
    model_id = known(place, "m")
    path = f"/workspaces/{place.workspace_id}/models/{model_id}"
    fields = {"do": "price", "price_in": typed, "price_out": typed}
    assert signed_in(place.user_id).post(path, fields).status_code == status
    assert card(place, model_id).rates is None


def test_marks_replace_each_other_switch_nothing_on_and_find_the_model(place: Place, signed_in: Browser) -> None:
    """RN-057."""
    model_id, other = known(place, "marked", is_active=False), known(place, "plain")
    client, path = signed_in(place.user_id), f"/workspaces/{place.workspace_id}/models"
    found, shown = [], []
    for uses in (["conversation", "code", "code"], ["image"], []):
        client.post(f"{path}/{model_id}", {"do": "uses", "use": uses})
        page = client.get(f"{path}?use=image").content.decode()
        found.append(card(place, model_id).uses)
        shown.append((str(model_id) in page, str(other) in page))
    assert found == [(ModelUse.CODE, ModelUse.CONVERSATION), (ModelUse.IMAGE,), ()]
    assert shown == [(False, False), (True, False), (False, False)]
    assert not card(place, model_id).is_active


def test_a_use_that_is_none_marks_nothing(place: Place, signed_in: Browser) -> None:
    model_id = known(place, "m")
    path = f"/workspaces/{place.workspace_id}/models/{model_id}"
    refused = signed_in(place.user_id).post(path, {"do": "uses", "use": ["code", "poetry"]})
    assert (refused.status_code, card(place, model_id).uses) == (400, ())


@pytest.mark.parametrize("page", ["models", "model", "budget", "one"])
def test_who_may_not_change_it_is_told_who_may(page: str, place: Place, signed_in: Browser) -> None:
    """RN-052: a maintainer chooses; owners decide what is in use, what it costs, and what the workspace may spend."""
    model_id = known(place, "m")
    path = f"/workspaces/{place.workspace_id}/" + (f"models/{model_id}" if page == "one" else page)
    client = signed_in(new_member(place, Role.MAINTAINER))
    shown = client.get(path).content.decode()
    assert re.search("Only an owner|Only owners", shown)
    for name in ('value="price"', 'name="off"', 'value="uses"', "Read the lists now", 'id="secret"', 'id="limit"'):
        assert name not in shown


def test_a_fallback_is_chosen_and_taken_back(place: Place, signed_in: Browser) -> None:
    model_id, other, client = known(place, "m"), known(place, "other"), signed_in(place.user_id)
    path, found = f"/workspaces/{place.workspace_id}/models/{model_id}", []
    for fallback in (str(other), ""):
        client.post(path, {"do": "fallback", "fallback": fallback})
        found.append(card(place, model_id).fallback_id)
    assert found == [other, None]


def test_another_model_is_chosen_and_inherited_again(place: Place, signed_in: Browser) -> None:
    wide, narrow, client = known(place, "wide"), known(place, "narrow"), signed_in(place.user_id)
    gateway.bind(place.workspace_id, Subject(Level.WORKSPACE, place.workspace_id), wide)
    path = f"/projects/{place.project_id}/model"
    client.post(path, {"do": "choose", "model_id": str(narrow), "agent": "creative"})
    found = [chosen(place, agent="creative"), chosen(place)]
    client.post(path, {"do": "inherit", "agent": "creative"})
    page = client.get(f"{path}?agent=creative").content.decode()
    assert found == [("narrow", Level.AGENT), ("wide", Level.WORKSPACE)]
    assert (chosen(place, agent="creative"), "Inherited from the workspace" in page) == (
        ("wide", Level.WORKSPACE),
        True,
    )


def test_what_was_passed_over_is_shown_with_its_reason(place: Place, signed_in: Browser) -> None:
    gateway.bind(place.workspace_id, Subject(Level.WORKSPACE, place.workspace_id), known(place, "wide"))
    off = known(place, "narrow")
    gateway.bind(place.workspace_id, Subject(Level.PROJECT, place.project_id), off)
    gateway.set_active(place.workspace_id, off, is_active=False)
    page = signed_in(place.user_id).get(f"/projects/{place.project_id}/model").content.decode()
    assert "Passed over: switched off or not listed any more" in " ".join(page.split())


@pytest.mark.parametrize(("has_tools", "is_active"), [(True, False), (False, True)])
def test_an_unfit_model_is_not_offered_to_an_agent_and_refused(
    has_tools: bool, is_active: bool, place: Place, signed_in: Browser
) -> None:
    model_id = known(place, "unfit", has_tools=has_tools, is_active=is_active)
    client, path = signed_in(place.user_id), f"/projects/{place.project_id}/model"
    offered = f'value="{model_id}"' in client.get(f"{path}?agent=creative").content.decode()
    refused = client.post(path, {"do": "choose", "model_id": str(model_id), "agent": "creative"})
    assert (offered, refused.status_code, "cannot be used here" in refused.content.decode()) == (False, 400, True)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_preset_fills_provider_and_address_without_a_script(preset: Preset, place: Place, signed_in: Browser) -> None:
    path = f"/workspaces/{place.workspace_id}/keys?preset={preset.name}"
    page = signed_in(place.user_id).get(path).content.decode()
    filled = f'value="{preset.base_url}"' in page, f'value="{preset.provider}" selected' in page
    assert filled == (True, True)


def test_a_key_is_stored_replaced_and_removed_and_never_shown(place: Place, signed_in: Browser) -> None:
    client, path = signed_in(place.user_id), f"/workspaces/{place.workspace_id}/keys"
    fields = {"do": "store-untested", "provider": COMPATIBLE, "base_url": ADDRESS, "secret": "sk-canary"}
    stored = [client.post(path, fields).status_code for _ in range(2)]
    key = credentials_of(place.workspace_id)[0]
    page = client.get(f"{path}?replace={key.id}").content.decode()
    client.post(path, {"do": "remove", "key": str(key.id)})
    assert (stored, f'value="{ADDRESS}"' in page, "sk-canary" in page) == ([302, 302], True, False)
    assert credentials_of(place.workspace_id) == ()


@pytest.mark.parametrize("do", ["store", "test", "store-untested"])
@pytest.mark.parametrize("wrong", [{"secret": "ção canary"}, {"base_url": "ftp://canary"}, {"provider": "nobody"}])
def test_a_key_that_cannot_be_used_is_refused_in_the_form(
    do: str, wrong: dict[str, str], place: Place, signed_in: Browser
) -> None:
    fields = {"do": do, "provider": COMPATIBLE, "base_url": ADDRESS, "secret": "canary-secret"} | wrong
    response = signed_in(place.user_id).post(f"/workspaces/{place.workspace_id}/keys", fields)
    shown = fields["secret"] in response.content.decode()
    assert (response.status_code, shown, credentials_of(place.workspace_id)) == (400, False, ())


@pytest.mark.parametrize("role", [Role.VIEWER, Role.DEVELOPER, Role.MAINTAINER])
def test_who_is_no_owner_changes_no_key(role: Role, place: Place, signed_in: Browser) -> None:
    client, path = signed_in(new_member(place, role)), f"/workspaces/{place.workspace_id}/keys"
    statuses = (client.get(path).status_code, client.post(path, {"do": "test"}).status_code)
    assert statuses == (200 if role is Role.MAINTAINER else 403, 403)


def test_a_developer_sees_models_and_changes_none(place: Place, signed_in: Browser) -> None:
    model_id, client = known(place, "m"), signed_in(new_member(place, Role.DEVELOPER))
    paths = [f"/workspaces/{place.workspace_id}/{rest}" for rest in ("models", f"models/{model_id}", "model")]
    assert [client.get(path).status_code for path in paths] == [200, 200, 200]
    assert [client.post(path, {"off": str(model_id), "do": "off"}).status_code for path in paths] == [403, 403, 403]
