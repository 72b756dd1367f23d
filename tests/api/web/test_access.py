"""Pages are for members; a foreign tenant's things do not exist; a role too weak is told so."""

from collections.abc import Callable
from uuid import UUID, uuid4

import pytest
from django.test import Client

from contracts.vocabulary import Role
from tests.factories.places import Place, new_member, new_person


def pages(place: Place) -> list[str]:
    project, session = f"/projects/{place.project_id}/", f"/sessions/{place.session_id}/"
    return [
        project,
        f"{project}model",
        session,
        f"{session}timeline?after=0",
        f"{session}timeline?before=9",
        f"{session}model",
    ]


def actions(place: Place) -> list[str]:
    session, some = f"/sessions/{place.session_id}/", uuid4()
    names = ("messages", "messages/1/cancel", "stop", "continue", "readiness", "rename", "close", "model")
    of_others = (f"questions/{some}", f"handoffs/{some}/accept", f"handoffs/{some}/reject")
    return [f"/projects/{place.project_id}/", *(session + name for name in (*names, *of_others))]


def test_who_is_not_signed_in_is_led_to_the_door(place: Place) -> None:
    for path in ["/projects/", *pages(place)]:
        response = Client().get(path)
        assert (response.status_code, response["Location"].split("?")[0]) == (302, "/login/"), path


def test_an_open_page_of_who_is_not_signed_in_any_more_is_told_so(place: Place) -> None:
    response = Client().get(f"/sessions/{place.session_id}/timeline?after=0", headers={"X-Fragment": "1"})
    assert response.status_code == 401


def test_members_see_every_page(place: Place, signed_in: Callable[[UUID], Client]) -> None:
    for user_id in (place.user_id, new_member(place, Role.VIEWER)):
        client = signed_in(user_id)
        assert [client.get(path).status_code for path in pages(place)] == [200] * len(pages(place))


def test_for_a_stranger_nothing_is_there(place: Place, signed_in: Callable[[UUID], Client]) -> None:
    client = signed_in(new_person("Bia"))
    assert [client.get(path).status_code for path in pages(place)] == [404] * len(pages(place))
    assert [client.post(path).status_code for path in actions(place)] == [404] * len(actions(place))


def test_a_viewer_changes_nothing(place: Place, signed_in: Callable[[UUID], Client]) -> None:
    client = signed_in(new_member(place, Role.VIEWER))
    assert [client.post(path).status_code for path in actions(place)] == [403] * len(actions(place))
    assert "data-composer" not in client.get(f"/sessions/{place.session_id}/").content.decode()


@pytest.mark.parametrize("role", [Role.DEVELOPER, Role.MAINTAINER])
def test_only_an_owner_stores_a_key(role: Role, place: Place, signed_in: Callable[[UUID], Client]) -> None:
    client = signed_in(new_member(place, role))
    response = client.post(f"/projects/{place.project_id}/model", {"model": "m", "secret": "sk-1"})
    assert response.status_code == 403


def test_a_form_without_its_token_is_refused(place: Place, signed_in: Callable[[UUID], Client]) -> None:
    client = signed_in(place.user_id)
    client.handler.enforce_csrf_checks = True
    response = client.post(f"/sessions/{place.session_id}/stop")
    assert response.status_code == 403
