"""The socket is a hint: lost, silent or with holes, the page shows the log all the same."""

import re

import pytest
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
ASSEMBLE = """async (pieces) => {
  const { LiveText } = await import("/static/web/js/session/livetext.js");
  const live = new LiveText();
  const seen = [];
  for (const [kind, at, text] of pieces) {
    if (kind === "live") live.catchUp(text); else live.add(at, text);
    seen.push([live.text, live.hasGap]);
  }
  return seen;
}"""

LONGEST_PAUSES = """async (falls) => {
  const { Socket } = await import("/static/web/js/session/socket.js");
  const kept = { setTimeout: window.setTimeout, WebSocket: window.WebSocket };
  const { random } = Math, { now } = Date;
  let time = 0, opened, pause;
  Date.now = () => time;
  Math.random = () => 1;
  window.setTimeout = (_, milliseconds) => void (pause = milliseconds);
  window.WebSocket = function () { opened = this; };
  try {
    const socket = new Socket("/nowhere", { after: () => 0, onMessage() {}, onState() {} });
    return falls.map(([code, livedMs]) => {
      if (livedMs !== null) opened.onopen();
      time += livedMs ?? 0;
      opened.onclose({ code });
      const longest = pause;
      socket.open();
      return longest;
    });
  } finally {
    Object.assign(window, kept);
    Object.assign(Math, { random });
    Object.assign(Date, { now });
  }
}"""


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


@pytest.mark.parametrize(("language", "told"), [("en", TOO_MANY), ("pt-br", TOO_MANY_PT)])
def test_too_many_sockets_is_told_counted_down_and_tried_again(language: str, told: str, arrive: Arrival) -> None:
    """4429: the page says what happens next, goes on reading the news, and connects when the server said."""
    person = arrive(language)
    opened = closed_first(person, 4429, "retry-after=9")
    person.open_session()
    connection = person.page.locator("[data-connection]")
    expect(connection).to_contain_text(told, timeout=1_500)
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


def test_pieces_are_joined_by_their_place(arrive: Arrival) -> None:
    person = arrive()
    person.open_session()
    pieces = [
        ["delta", 0, "Olá 🏠"],
        ["delta", 8, "bom"],
        ["delta", 5, "!! "],
        ["delta", 5, "!! "],
        ["live", 0, "Olá 🏠!! bom dia"],
        ["live", 0, "Olá"],
        ["delta", 11, " dia, Ana"],
    ]
    assert person.page.evaluate(ASSEMBLE, pieces) == [
        ["Olá 🏠", False],
        ["Olá 🏠", True],
        ["Olá 🏠!! bom", False],
        ["Olá 🏠!! bom", False],
        ["Olá 🏠!! bom dia", False],
        ["Olá 🏠!! bom dia", False],
        ["Olá 🏠!! bom dia, Ana", False],
    ]


def test_pauses_grow_to_30_s_until_a_socket_was_healthy_and_resume_comes_at_once(arrive: Arrival) -> None:
    """R7: with a die that always throws its highest; `null` never opened, else how long it lived."""
    person = arrive()
    person.open_session()
    falls = [[1006, None], [1006, 100], [1006, 4_999], *[[1006, None]] * 5, [4008, 100], [1006, 100], [1006, 5_000]]
    grown = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]
    assert person.page.evaluate(LONGEST_PAUSES, falls) == [*grown, 500, 30_000, 500]
