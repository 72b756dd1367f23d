"""What the page does with a socket's pieces and falls, without waiting for them."""

from tests.browser.conftest import Arrival

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
