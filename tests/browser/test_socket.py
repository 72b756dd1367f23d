"""The socket is a hint: lost, silent or with holes, the page shows the log all the same."""

import re

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import Arrival
from tests.browser.person import Person

SILENCE_MS = 26_000
TOO_MANY = "Too many live connections"
TOO_MANY_PT = "Conexões ao vivo demais"
WATCH_CONNECTION = """
window.connectionWords = [];
addEventListener("DOMContentLoaded", () => {
  const place = document.querySelector("[data-connection]");
  if (!place) return;
  new MutationObserver(() => place.hidden || window.connectionWords.push(place.textContent)).observe(
    place, { attributes: true, childList: true });
});
"""


def test_without_a_socket_the_answer_still_comes_with_the_next_ping(arrive: Arrival) -> None:
    """All hints but pings are lost."""
    person = arrive()

    def only_pings(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(text) if '"ping"' in str(text) else None)

    person.page.route_web_socket("**/ws/**", only_pings)
    person.open_session()
    person.write(person.words.idea)
    expect(person.entries("agent.response")).to_have_count(1)


def test_a_socket_that_says_nothing_is_given_up(arrive: Arrival) -> None:
    person = arrive()
    opened: list[str] = []
    person.page.route_web_socket("**/ws/**", lambda socket: opened.append(socket.url))
    person.page.clock.install()
    person.open_session()
    expect(person.page.locator(".composer")).to_be_visible()
    person.page.wait_for_timeout(300)
    assert len(opened) == 1
    person.page.clock.run_for(SILENCE_MS)
    person.page.wait_for_timeout(300)
    assert len(opened) >= 2
    assert "after=" in opened[-1]


def closed_first(person: Person, code: int, reason: str) -> list[str]:
    """The first socket is closed at once, the next ones are the server's own; what was opened."""
    opened: list[str] = []

    def come(socket: WebSocketRoute) -> None:
        opened.append(socket.url)
        if len(opened) == 1:
            socket.close(code=code, reason=reason)
        else:
            socket.connect_to_server()

    person.page.route_web_socket("**/ws/**", come)
    return opened


def test_too_many_sockets_is_told_in_the_readers_language(arrive: Arrival) -> None:
    person = arrive("pt-br")
    closed_first(person, 4429, "retry-after=9")
    person.open_session()
    expect(person.page.locator("[data-connection]")).to_contain_text(TOO_MANY_PT)


def test_too_many_sockets_is_told_counted_down_and_tried_again(arrive: Arrival) -> None:
    """4429: the page says what happens next, goes on reading the news, and connects when the server said."""
    person = arrive()
    opened = closed_first(person, 4429, "retry-after=9")
    person.open_session()
    connection = person.page.locator("[data-connection]")
    expect(connection).to_contain_text(TOO_MANY, timeout=1_500)
    first = int(re.findall(r"(\d+) s", connection.inner_text())[-1])
    assert first in (8, 9, 10)
    person.write(person.words.idea)
    expect(person.entries("chat.message")).to_have_count(1, timeout=7_000)
    assert len(opened) == 1
    expect(connection).not_to_be_visible(timeout=12_000)
    assert len(opened) == 2


def test_a_slow_page_resumes_without_a_word(arrive: Arrival) -> None:
    """4008: the server is well and waits; nobody is told, nothing is missed."""
    person = arrive()
    opened = closed_first(person, 4008, "")
    person.page.add_init_script(WATCH_CONNECTION)
    person.open_session()
    person.say(person.words.idea)
    assert len(opened) == 2
    assert person.page.evaluate("window.connectionWords") == []
