"""F28: a provider that says "not now" is waited for in the open: a countdown, a Stop that works, a plain end."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Arrival
from tests.browser.person import Person
from tests.browser.test_models import add_local
from tests.fakes.model_server import ModelServer, Reply

BANNER_MS = 2_000
COUNTDOWN = re.compile(r"(Trying again in|Nova tentativa em) (\d+) s")
SHORT_S = "1"
AFTER_MS = 1_500


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


def busy(after: str) -> Reply:
    return Reply(status=429, body='{"error":{"message":"slow down"}}', headers={"Retry-After": after})


def in_20_s_as_date() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)


def in_20_s_as_epoch() -> str:
    return str(int((datetime.now(UTC) + timedelta(seconds=20)).timestamp() * 1000))


def ask(person: Person, server: ModelServer, *replies: Reply) -> None:
    """In a session of a project that talks to this server."""
    person.begin_project()
    project = person.page.url
    person.page.goto(f"{project}model?agent=creative")
    add_local(person, server.url, f"busy-{server.port}")
    expect(person.page.locator(".badge-mata")).to_have_count(1)
    person.page.goto(project)
    person.button(person.words.open_session).click()
    person.await_scripts()
    server.play(*replies)
    person.write(person.words.idea)
    server.wait_for(lambda asked: any("chat" in each.path for each in asked), 15)


def countdown(person: Person) -> Locator:
    return person.page.locator("[data-live-area] .mark").filter(has_text=COUNTDOWN)


def seconds(banner: Locator) -> int:
    found = COUNTDOWN.search(banner.inner_text())
    assert found is not None
    return int(found[2])


@pytest.mark.parametrize("after", [lambda: "20", in_20_s_as_date, in_20_s_as_epoch], ids=["seconds", "date", "epoch"])
def test_a_busy_provider_is_counted_down_and_stop_ends_the_wait(
    after: Callable[[], str], arrive: Arrival, server: ModelServer
) -> None:
    person = arrive()
    ask(person, server, *[busy(after())] * 4)
    expect(countdown(person)).to_be_visible(timeout=BANNER_MS)
    first = seconds(countdown(person))
    assert 1 <= first <= 20
    expect(countdown(person)).to_contain_text(f" {first - 2} s", timeout=4_000)
    person.button(person.words.stop).click()
    expect(person.entries("turn.stop_receipt")).to_have_count(1)
    asked = len(server.requests)
    expect(countdown(person)).to_have_count(0)
    expect(person.button(person.words.go_on)).to_be_visible()
    person.page.wait_for_timeout(AFTER_MS)
    assert len(server.requests) == asked


def test_who_comes_later_sees_the_same_countdown_and_stops_it(arrive: Arrival, server: ModelServer) -> None:
    """After a reload, and in another browser whose socket never opens: the wait is the server's, not the page's."""
    person, late = arrive(), arrive("pt-br")
    ask(person, server, *[busy("20")] * 4)
    expect(countdown(person)).to_be_visible(timeout=BANNER_MS)
    person.page.reload()
    expect(countdown(person)).to_be_visible(timeout=BANNER_MS)
    late.page.route_web_socket("**/ws/**", lambda _: None)
    late.page.goto(person.page.url)
    expect(countdown(late)).to_contain_text("Nova tentativa em", timeout=BANNER_MS)
    assert abs(seconds(countdown(late)) - seconds(countdown(person))) <= 1
    late.button(late.words.stop).click()
    expect(person.entries("turn.stop_receipt")).to_have_count(1)
    expect(countdown(person)).to_have_count(0)
    expect(countdown(late)).to_have_count(0)


def test_when_all_tries_are_used_up_it_ends_as_infrastructure(arrive: Arrival, server: ModelServer) -> None:
    person = arrive()
    ask(person, server, *[busy(SHORT_S)] * 12)
    failure = person.page.locator(".failure-infra")
    expect(failure).to_be_visible()
    expect(failure).to_contain_text("limits how often it may be asked")
    expect(countdown(person)).to_have_count(0)
