"""A turn that runs: stopped, queued behind, reloaded, seen from two tabs. Nothing is lost and nothing comes twice."""

from collections.abc import Callable
from uuid import uuid4

import psycopg
import pytest
from playwright.sync_api import Route, expect

from api.rooms.gateway.domain.scripts import Entry, Script
from tests.browser.conftest import Arrival, plan_of
from tests.browser.person import Person
from tests.plugins.stack import Stack

WORDS = 60
SLOWLY = Script(entries=(Entry(text=" ".join(f"word{number}" for number in range(WORDS)), delay_ms=90),))
TO_REHEARSE = "INSERT INTO gateway_rehearsalscript (session_id, script) VALUES (%s, %s)"

Talking = Callable[[], Person]


@pytest.fixture
def talking(arrive: Arrival, stack: Stack) -> Talking:
    """Someone in a new session, with an answer on its way that takes its time to be interrupted."""

    def talk() -> Person:
        person = arrive()
        person.open_session()
        with psycopg.connect(plan_of(stack).addresses.database_url) as database:
            database.execute(TO_REHEARSE, (session_of(person), SLOWLY.model_dump_json()))
        person.write(person.words.idea)
        expect(person.live).not_to_be_empty()
        return person

    return talk


def session_of(person: Person) -> str:
    return person.page.url.rstrip("/").rpartition("/")[2]


def say_elsewhere(stack: Stack, person: Person, *texts: str) -> None:
    """From another device, so that typing takes no time from the answer that they must wait behind."""
    with stack.client() as http:
        for text in texts:
            body = {"text": text, "client_message_id": uuid4().hex}
            http.post(f"/api/v1/sessions/{session_of(person)}/messages", json=body).raise_for_status()


def test_stop_keeps_what_was_said(talking: Talking) -> None:
    person = talking()
    person.button(person.words.stop).click()
    expect(person.entries("turn.stop_receipt")).to_have_count(1)
    partial = person.entries("agent.response")
    expect(partial).to_contain_text(person.words.stopped_here)
    expect(person.live).to_have_count(0)
    kept = partial.locator(".prose").inner_text()
    person.page.reload()
    assert partial.locator(".prose").inner_text() == kept
    expect(person.button(person.words.go_on)).to_be_visible()


def test_stop_from_another_tab_is_seen_in_this_one(talking: Talking) -> None:
    person = talking()
    other = person.page.context.new_page()
    other.goto(person.page.url)
    other.get_by_role("button", name=person.words.stop, exact=True).click()
    expect(person.entries("agent.response")).to_contain_text(person.words.stopped_here)
    expect(person.live).to_have_count(0)


def test_queued_messages_wait_visibly_and_can_be_cancelled(talking: Talking, stack: Stack) -> None:
    person = talking()
    say_elsewhere(stack, person, "Second thought", "Third thought")
    third = person.entries("chat.message").filter(has_text="Third thought")
    third.get_by_role("button", name="Third thought").click()
    expect(third.locator(".said-cancelled")).to_have_count(1)
    second = person.entries("chat.message").filter(has_text="Second thought")
    expect(second.locator(".badge", has_text=person.words.queued)).to_have_count(1)
    expect(person.entries("turn.ended")).to_have_count(2)
    expect(person.page.locator(".badge", has_text=person.words.queued)).to_have_count(0)
    assert person.seqs() == sorted(set(person.seqs()))


def test_a_reload_in_the_middle_shows_the_rest_and_the_same_answer(talking: Talking) -> None:
    person = talking()
    person.page.reload()
    expect(person.live).not_to_be_empty()
    expect(person.entries("agent.response")).to_have_count(1)
    expect(person.live).to_have_count(0)
    seen = person.entries("agent.response").locator(".prose").inner_text()
    person.page.reload()
    assert person.entries("agent.response").locator(".prose").inner_text() == seen


def test_an_impatient_hand_sends_once(arrive: Arrival) -> None:
    person = arrive()
    person.open_session()
    person.page.fill("#text", person.words.idea)
    person.page.locator("[data-send]").dblclick()
    person.page.press("#text", "Enter")
    expect(person.entries("turn.ended")).to_have_count(1)
    expect(person.entries("chat.message")).to_have_count(1)


def test_a_message_whose_answer_was_lost_is_sent_again_as_the_same(arrive: Arrival) -> None:
    """The server had it, the browser never heard: trying again adds nothing."""
    person = arrive()
    person.open_session()

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    person.page.route("**/messages", lose_the_answer, times=1)
    person.write(person.words.idea)
    expect(person.page.locator("[data-toasts] .banner")).to_be_visible()
    expect(person.page.locator("#text")).to_have_value(person.words.idea)
    person.page.press("#text", "Enter")
    expect(person.page.locator("#text")).to_have_value("")
    expect(person.entries("chat.message")).to_have_count(1)


def test_a_draft_outlives_the_page(arrive: Arrival) -> None:
    person = arrive()
    person.open_session()
    text = f"Half a thought {uuid4()}"
    person.page.fill("#text", text)
    person.page.reload()
    expect(person.page.locator("#text")).to_have_value(text)


def test_shift_enter_begins_a_line(arrive: Arrival) -> None:
    person = arrive()
    person.open_session()
    person.page.fill("#text", "one")
    person.page.press("#text", "Shift+Enter")
    person.page.keyboard.type("two")
    expect(person.page.locator("#text")).to_have_value("one\ntwo")
    expect(person.entries("chat.message")).to_have_count(0)
