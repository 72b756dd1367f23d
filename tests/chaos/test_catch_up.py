"""R6: a page that comes back to ten thousand new events has them all in a second: `make chaos ROUNDS=100`."""

import json
import time

import httpx
import pytest

from api.rooms.agent_sessions import selectors as log
from contracts.limits import MAX_EVENTS_PAGE
from tests.api.rest.test_paging import grow_at_once
from tests.chaos.summary import RESULTS, spread
from tests.factories.places import Place, new_place, token_of
from tests.fakes.impatient import serving
from tests.fakes.raw_socket import RawSocket

EVENTS = 10_000
SLOW_SECONDS = 10.0
"""One is promised."""


@pytest.mark.timeout(0)
def test_ten_thousand_events_are_caught_up_with_by_the_socket_and_by_pages(
    committed: None, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    place = new_place()
    grow_at_once(place, EVENTS)
    complete = list(log.raw_events(place.session_id, 0, 2 * EVENTS).texts)
    token = {"Authorization": f"Bearer {token_of(place.user_id)}"}
    took = list[float]()
    with serving("api.asgi:application", "/livez", 20.0, 10.0) as (port, _):
        for _ in range(request.config.getoption("--rounds")):
            began = time.monotonic()
            texts = _caught_up(port, place, token)
            took.append(time.monotonic() - began)
            assert [json.loads(text)["seq"] for text in texts] == list(range(1, len(complete) + 1))
            assert [json.loads(text) for text in texts] == [json.loads(text) for text in complete]
    RESULTS["catch_up_10000_s"] = spread(took)
    with capsys.disabled():
        print(f"\n{json.dumps(RESULTS['catch_up_10000_s'])}", flush=True)  # noqa: T201
    assert max(took) <= SLOW_SECONDS


def _caught_up(port: int, place: Place, token: dict[str, str]) -> list[str]:
    """As a page does: what the socket gives, and the rest by HTTP once it is told how far that is."""
    page = RawSocket.open(port, f"/ws/sessions/{place.session_id}/?after=0", token)
    texts = list[str]()
    while (message := json.loads(page.text()))["kind"] != "far":
        texts += [json.dumps(message["event"])] if message["kind"] == "event" else []
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=token, trust_env=False, timeout=30) as http:
        while len(texts) < message["head"]:
            path = f"/api/v1/sessions/{place.session_id}/events?after={len(texts)}&limit={MAX_EVENTS_PAGE}"
            texts += [json.dumps(event) for event in http.get(path).json()["events"]]
    page.close()
    return texts
