"""Threat 28: a burst is refused, by person, address and kind; nobody changes who is counted by claiming it."""

import time
from typing import Any
from uuid import uuid4

import pytest
import redis
from channels.testing import WebsocketCommunicator
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from api.asgi import application
from api.rooms.accounts.models import User
from api.surfaces.throttling import counters, kinds
from api.surfaces.throttling.kinds import Kind, Limits, client_address, kind_of
from contracts.problem import Problem, ProblemCode
from tests.factories.places import Place, new_place, token_of


@pytest.fixture
def place(db: None, limited: None) -> Place:
    return new_place()


def caller(place: Place, address: str = "198.51.100.7", **headers: str) -> Client:
    token = token_of(place.user_id)
    return Client(headers={"authorization": f"Bearer {token}", **headers}, REMOTE_ADDR=address)


def statuses(client: Client, count: int, path: str = "/api/v1/workspaces") -> list[int]:
    return [client.get(path).status_code for _ in range(count)]


def test_a_burst_is_refused_with_the_time_to_wait(place: Place) -> None:
    client = caller(place)
    assert statuses(client, 4) == [200, 200, 200, 429]
    refused = client.get("/api/v1/workspaces")
    problem = Problem.model_validate_json(refused.content)
    assert problem.code is ProblemCode.THROTTLED
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert "Retry" not in problem.detail
    assert "try again in" in problem.detail


def fields_of(response: Any, name: str) -> dict[str, dict[str, int]]:
    """A field of the draft: policies with their parameters."""
    items = [item.split(";") for item in response.headers[name].split(", ")]
    return {
        policy.strip('"'): {key: int(value) for key, value in (pair.split("=") for pair in pairs)}
        for policy, *pairs in items
    }


def test_each_answer_of_the_api_says_what_is_left(place: Place) -> None:
    client = caller(place)
    answers = [client.get("/api/v1/workspaces") for _ in range(4)]
    assert [fields_of(answer, "RateLimit-Policy") for answer in answers] == [{"general": {"q": 3, "w": 60}}] * 4
    left = [fields_of(answer, "RateLimit")["general"] for answer in answers]
    assert [each["r"] for each in left] == [2, 1, 0, 0]
    assert [0 < each["t"] <= 60 for each in left] == [True] * 4
    assert abs(int(answers[3].headers["Retry-After"]) - left[3]["t"]) <= 1


def test_what_counts_by_itself_is_told_by_itself(place: Place) -> None:
    answer = caller(place).post(f"/api/v1/workspaces/{place.workspace_id}/models/sync")
    assert set(fields_of(answer, "RateLimit")) == {"general", "provider"}


def test_an_address_that_asks_too_often_is_told_its_own_policy(place: Place) -> None:
    answers = [caller(new_place(), "203.0.113.21").get("/api/v1/workspaces") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert fields_of(answers[5], "RateLimit-Policy") == {"general-address": {"q": 5, "w": 60}}


def test_pages_and_switched_off_limits_say_nothing(place: Place, settings: Settings) -> None:
    page = Client(REMOTE_ADDR="203.0.113.22").get("/login/")
    settings.MUTIRAO_RATE_LIMITS = False
    assert ["RateLimit" in answer.headers for answer in (page, caller(place).get("/api/v1/workspaces"))] == [False] * 2


def test_a_page_says_it_to_people_in_their_language(place: Place) -> None:
    client = Client(headers={"accept-language": "pt-br"}, REMOTE_ADDR="198.51.100.8")
    client.force_login(User.objects.get(id=place.user_id))
    assert statuses(client, 3, "/projects/") == [200, 200, 200]
    refused = client.get("/projects/")
    assert refused.status_code == 429
    assert "Espere um pouco" in refused.content.decode()
    assert "Retry-After" in refused.headers


def test_one_person_takes_nothing_from_another(place: Place) -> None:
    other = new_place()
    assert statuses(caller(place), 4)[-1] == 429
    assert statuses(caller(other, "203.0.113.9"), 3) == [200, 200, 200]


def test_an_address_is_counted_whoever_asks(place: Place) -> None:
    found = [status for _ in range(3) for status in statuses(caller(new_place(), "203.0.113.10"), 2)]
    assert found == [200, 200, 200, 200, 200, 429]


@pytest.mark.parametrize("proxies", [0, 1])
def test_a_forged_forwarded_header_changes_nobody(place: Place, settings: Settings, proxies: int) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"mutirao_trusted_proxies": proxies})
    found = []
    for number in range(6):
        claim = f"10.9.8.{number}" if proxies == 0 else f"10.9.8.{number}, 203.0.113.11"
        found += statuses(caller(new_place(), "203.0.113.12", **{"x-forwarded-for": claim}), 1)
    assert found == [200, 200, 200, 200, 200, 429]


@given(claim=st.lists(st.ip_addresses().map(str), max_size=4), proxies=st.integers(1, 3))
def test_what_stands_further_left_than_our_proxies_is_never_believed(claim: list[str], proxies: int) -> None:
    ours = [f"203.0.113.{number}" for number in range(proxies)]
    assert client_address("192.0.2.1", ", ".join([*claim, *ours]), proxies) == ours[0]


def test_a_probe_and_the_engine_are_not_counted(limited: None) -> None:
    client = Client(REMOTE_ADDR="203.0.113.13")
    assert statuses(client, 9, "/livez") == [200] * 9


def test_messages_count_by_session_and_what_costs_a_provider_by_itself() -> None:
    assert kind_of("POST", "/api/v1/sessions/x/messages") is Kind.SEND
    assert kind_of("POST", "/api/v1/workspaces/x/models/sync") is Kind.PROVIDER
    assert kind_of("POST", "/api/v1/workspaces/x/credentials/test") is Kind.PROVIDER
    assert kind_of("POST", "/workspaces/x/keys") is Kind.PROVIDER
    assert kind_of("GET", "/projects/x/spend?days=7&as=csv") is Kind.EXPORT
    assert kind_of("GET", "/api/v1/sessions/x/messages") is Kind.GENERAL


def sign_in(client: Client, email: str, password: str) -> str:
    response = client.post("/login/", {"username": email, "password": password})
    if response.status_code == 302:
        return "in"
    return "wait" if "too often" in response.content.decode() else f"{response.status_code}"


def test_sign_ins_that_fail_wait_longer_and_a_good_one_is_never_counted(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = Limits("1000/minute", "1000/minute")
    monkeypatch.setitem(kinds.LIMITS, Kind.GENERAL, many)
    user = User.objects.get(id=place.user_id)
    user.set_password("a good long password")
    user.save()
    client = Client(REMOTE_ADDR="203.0.113.14")
    assert [sign_in(Client(REMOTE_ADDR="203.0.113.15"), user.email, "a good long password") for _ in range(5)] == [
        "in"
    ] * 5
    assert [sign_in(client, user.email, "wrong") for _ in range(4)] == ["400", "400", "400", "wait"]
    assert sign_in(client, user.email, "a good long password") == "wait"
    assert sign_in(Client(REMOTE_ADDR="203.0.113.16"), user.email, "a good long password") == "in"


def test_the_operators_door_counts_with_the_other(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    many = Limits("1000/minute", "1000/minute")
    monkeypatch.setitem(kinds.LIMITS, Kind.GENERAL, many)
    client = Client(REMOTE_ADDR="203.0.113.18")
    tries = [client.post("/admin/login/", {"username": "ana@example.org", "password": "wrong"}) for _ in range(4)]
    assert ["too often" in response.content.decode() for response in tries] == [False, False, False, True]
    assert sign_in(client, "ana@example.org", "wrong") == "wait"


def test_a_header_of_ones_own_invention_makes_nobody_another_person(place: Place) -> None:
    client = Client(REMOTE_ADDR="203.0.113.19")
    client.force_login(User.objects.get(id=place.user_id))
    found = [client.get("/projects/", headers={"authorization": f"Bearer x{n}"}).status_code for n in range(4)]
    assert found == [200, 200, 200, 429]


def test_an_export_is_counted_by_itself(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    many = Limits("1000/minute", "1000/minute")
    monkeypatch.setitem(kinds.LIMITS, Kind.GENERAL, many)
    client = Client(REMOTE_ADDR="203.0.113.20")
    client.force_login(User.objects.get(id=place.user_id))
    path = f"/projects/{place.project_id}/spend"
    assert statuses(client, 4, f"{path}?as=csv") == [200, 200, 200, 429]
    assert statuses(client, 1, path) == [200]


def test_without_valkey_people_are_let_in_and_sign_ins_are_still_counted(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: object, **__: object) -> None:
        raise redis.ConnectionError("nobody there")

    limiter = counters._shared()
    monkeypatch.setattr(limiter, "hit", away)
    monkeypatch.setattr(limiter, "test", away)
    monkeypatch.setattr(counters._complaint, "said_at", float("-inf"))
    monkeypatch.setattr(limiter, "get_window_stats", away)
    assert statuses(caller(place), 9) == [200] * 9
    client = Client(REMOTE_ADDR="203.0.113.17")
    assert [sign_in(client, "nobody@example.org", "wrong") for _ in range(4)] == ["400", "400", "400", "wait"]
    assert [record.message.split(":")[0] for record in caplog.records if "Valkey" in record.message] == [
        "rate limits are off while Valkey is away"
    ]


def test_the_window_passes(limited: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [counters.take(Kind.GENERAL, "x", "2/second") for _ in range(3)][-1] > 0
    time.sleep(1.1)
    assert counters.take(Kind.GENERAL, "x", "2/second") == 0


async def test_a_socket_too_many_is_closed_by_its_code(db: None, limited: None) -> None:
    cookie = b"sessionid=" + uuid4().hex.encode()
    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost"), (b"cookie", cookie)]
    codes, reasons = [], []
    for _ in range(4):
        socket = WebsocketCommunicator(application, f"/ws/sessions/{uuid4()}/", headers=headers)
        await socket.connect()
        closed = await socket.receive_output()
        codes.append(closed["code"])
        reasons.append(closed.get("reason"))
    assert codes == [4403, 4403, 4403, 4429]
    name, _, seconds = str(reasons[-1]).partition("=")
    assert name == "retry-after"
    assert 1 <= int(seconds) <= 60
