"""Threat 21: an internal call that is not proven does nothing, and one that is proven and nonsense is a problem."""

import re
from dataclasses import replace
from uuid import UUID

import pytest
from django.conf import settings

from api.rooms.kernel.ids import new_id
from contracts import auth
from contracts.auth import SigningKey
from contracts.limits import SIGNATURE_SKEW_S
from contracts.problem import PROBLEM_MEDIA_TYPE, Problem, ProblemCode
from contracts.routes import SERVED_BY_API, AnyRoute
from tests.api.internal.engine import Answer, Sent, send
from tests.api.rest.test_bad_input import SHAPES
from tests.factories.conversation import say
from tests.factories.places import Place, new_place
from tests.factories.rows import count_rows
from tests.factories.workers import instance_of

ALMOST_S = SIGNATURE_SKEW_S - 3
FORGERIES: dict[str, dict[str, object]] = {
    "no signature": {"is_signed": False},
    "another body": {"signed_body": b'{"other":1}'},
    "another path": {"signed_target": "/internal/v1/elsewhere"},
    "another method": {"signed_method": "PUT"},
    "too old": {"age_s": SIGNATURE_SKEW_S + 5},
    "from the future": {"age_s": -SIGNATURE_SKEW_S - 5},
    "for the engine": {"audience": auth.ENGINE},
    "for nobody": {"audience": ""},
    "another acting user": {"headers": ((b"mutirao-user", b"01"),)},
    "another idempotency key": {"headers": ((b"mutirao-idempotency-key", b"k"),)},
    "a key of the forger's": {"key": SigningKey("k1", b"guessed")},
    "an unknown key": {"key": SigningKey("k9", b"guessed")},
}
DEFINED_REFUSALS = {400, 404, 409, 413, 422}


@pytest.fixture
def place(committed: None) -> Place:
    """The handlers' threads have connections of their own."""
    place = new_place()
    say(place)
    return place


def right(route: AnyRoute, place: Place, body: bytes = b"{}") -> Sent:
    slot: UUID = instance_of(place.session_id).id
    target = route.target(**dict.fromkeys(re.findall(r"{(\w+)}", route.path), str(slot)))
    return Sent(route.method, target, b"" if route.method == "GET" else body)


def code_of(answer: Answer) -> ProblemCode:
    assert answer.content_type == PROBLEM_MEDIA_TYPE, answer
    return Problem.model_validate_json(answer.body).code


def test_no_forgery_passes_on_any_route(place: Place) -> None:
    keys = {"the other direction's key": {"key": settings.API_TO_ENGINE_KEYS[0]}}
    before = count_rows()
    found = {}
    for route in SERVED_BY_API:
        sent = right(route, place)
        for name, changes in {**FORGERIES, **keys}.items():
            found[route.name, name] = code_of(send(replace(sent, **changes)))  # type: ignore[arg-type]
        queried = replace(sent, target=sent.target + "?x=1", signed_target=sent.target)
        found[route.name, "another query"] = code_of(send(queried))
    assert found == dict.fromkeys(found, ProblemCode.SIGNATURE_INVALID)
    assert count_rows() == before


@pytest.mark.parametrize("age_s", [ALMOST_S, -ALMOST_S])
def test_a_clock_that_differs_by_less_than_a_minute_is_borne(place: Place, age_s: int) -> None:
    """Believed, and only then found to be nonsense."""
    answers = {route.name: send(replace(right(route, place, b"[]"), age_s=age_s)).status for route in SERVED_BY_API}
    assert {name for name, status in answers.items() if status == 401} == set()


def test_while_keys_are_changed_both_are_believed_and_the_old_one_ends(
    place: Place, settings: pytest.FixtureRequest
) -> None:
    old, new = SigningKey("old", b"one"), SigningKey("new", b"two")
    sent = right(SERVED_BY_API[0], place, b"[]")

    def statuses() -> list[int]:
        return [send(replace(sent, key=key)).status for key in (old, new)]

    settings.ENGINE_TO_API_KEYS = (old,)  # type: ignore[attr-defined]
    assert statuses() == [400, 401]
    settings.ENGINE_TO_API_KEYS = (new, old)  # type: ignore[attr-defined]
    assert statuses() == [400, 400]
    settings.ENGINE_TO_API_KEYS = (new,)  # type: ignore[attr-defined]
    assert statuses() == [401, 400]


@pytest.mark.parametrize("route", SERVED_BY_API, ids=lambda route: route.name)
def test_a_proven_call_with_nonsense_in_it_is_a_problem_and_writes_nothing(place: Place, route: AnyRoute) -> None:
    before = count_rows()
    bodies = {**SHAPES, "empty": b"", "wrong types": b'{"epoch":"1","turn_id":7,"step":[],"messages":{}}'}
    if route.method == "GET":
        sent = [replace(right(route, place), target=right(route, place).target + f"?after={text}") for text in "x-é"]
        sent += [replace(each, target=each.target.replace("after", "_connector")) for each in sent]
    else:
        sent = [right(route, place, body) for body in bodies.values()]
    answers = [send(replace(each, target=each.target.encode("ascii", "ignore").decode())) for each in sent]
    assert {answer.status for answer in answers} - DEFINED_REFUSALS - may_be_right(route) == set()
    assert count_rows() == before


def may_be_right(route: AnyRoute) -> set[int]:
    """A heartbeat with nothing in it is a heartbeat; a history from `after=` nothing asks for the default."""
    return {200} if route.name == "heartbeat" else set()


def test_an_instance_that_is_nobodys_is_not_found(place: Place) -> None:
    body = f'{{"worker":"{new_id()}","claim_id":"{new_id()}"}}'.encode()
    claim = next(route for route in SERVED_BY_API if route.name == "claim")
    sent = Sent("POST", claim.target(instance_id=str(new_id())), body)
    assert code_of(send(sent)) is ProblemCode.NOT_FOUND
