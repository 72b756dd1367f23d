"""Attempts, retries, addresses, redaction, characters, tool calls: pure."""

import itertools
import json
import urllib.parse
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.rooms.gateway.domain import attempts, base_urls, redaction, retries, retry_after
from api.rooms.gateway.domain.attempts import CallStatus, Tried
from api.rooms.gateway.domain.characters import Joiner, mend
from api.rooms.gateway.domain.failure_classes import BY_NAME, BY_STATUS, Signs, classify, signs_of
from api.rooms.gateway.domain.tool_calls import ID_LENGTH, Calls
from contracts.failures import ORIGINS, ErrorCode, FailureOrigin
from contracts.limits import MAX_DIAGNOSIS_CHARS

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _tried(*statuses: CallStatus) -> list[Tried]:
    return [Tried(number, status, None) for number, status in enumerate(statuses, 1)]


LOST, SETTLED, RELEASED = CallStatus.LOST, CallStatus.SETTLED, CallStatus.RELEASED


@pytest.mark.parametrize(
    ("tried", "decision"),
    [
        ([], attempts.Begin(1, is_repeated=False)),
        (_tried(RELEASED), attempts.Begin(2, is_repeated=False)),
        (_tried(LOST), attempts.Begin(2, is_repeated=True)),
        (_tried(SETTLED, LOST), attempts.Begin(3, is_repeated=True)),
        (_tried(LOST, RELEASED), attempts.Begin(3, is_repeated=True)),
        (_tried(LOST, LOST), attempts.Interrupted(2)),
        (_tried(SETTLED), attempts.Passed()),
        ([*_tried(LOST, LOST), Tried(3, SETTLED, "frame")], attempts.Kept("frame")),
    ],
)
def test_what_a_call_does_when_its_key_was_tried_before(tried: list[Tried], decision: object) -> None:
    assert attempts.decide(tried) == decision


@pytest.mark.parametrize("code", ErrorCode)
def test_only_trouble_that_passes_is_tried_again(code: ErrorCode) -> None:
    wait = retries.wait_before(code, 1, None, 0.0, has_relayed=False)
    assert (wait is not None) is (code in retries.RETRYABLE)
    assert retries.wait_before(code, 1, None, 0.0, has_relayed=True) is None
    assert ORIGINS[code] is FailureOrigin.INFRA or wait is None


def test_waits_grow_are_capped_and_end() -> None:
    code = ErrorCode.RATE_LIMITED
    waits = [retries.wait_before(code, tried, None, 0.0, has_relayed=False) for tried in range(1, 5)]
    assert waits == [0.5, 1.0, 2.0, None]
    assert retries.wait_before(code, 1, 10.0**9, 1.0, has_relayed=False) == retries.MAX_WAIT_S


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "20"}, 20.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "20s"}, 20.0),
        ({"retry-after": "1500ms"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": (NOW + timedelta(seconds=30)).strftime("%a, %d %b %Y %H:%M:%S GMT")}, 30.0),
        ({"retry-after": str(int(NOW.timestamp()) + 7)}, 7.0),
        ({"retry-after": str((int(NOW.timestamp()) + 7) * 1000)}, 7.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "Sun, 01 Mar 2020 12:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
    ],
)
def test_retry_after_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after.parse(headers, NOW) == seconds


@given(st.text())
def test_any_retry_after_is_read_or_ignored(text: str) -> None:
    found = retry_after.parse({"retry-after": text}, NOW)
    assert found is None or found >= 0


@pytest.mark.parametrize(
    "url",
    [
        "https://user:pass@api.example.org/v1",
        "https://api.example.org/v1?key=1",
        "https://api.example.org/#x",
        "ftp://api.example.org",
        "file:///etc/passwd",
        "api.example.org",
        "https://",
        "https://exa mple.org",
        "https://example.org\\@evil.org",
        "https://[::1",
        "https://example.org:99999999",
        "",
    ],
)
def test_an_odd_address_is_refused_whatever_the_operator_allows(url: str) -> None:
    assert isinstance(base_urls.check(url, allow_private=True), base_urls.Refused)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:1/v1",
        "http://localhost:1",
        "http://LOCALHOST.",
        "http://[::1]:1",
        "http://[::ffff:10.0.0.1]",
        "http://10.1.2.3",
        "http://172.16.0.1",
        "http://192.168.0.9",
        "http://169.254.169.254",
        "http://100.64.0.1",
        "http://0.0.0.0",
        "http://127.1",
        "http://2130706433",
        "http://0x7f000001",
        "http://ollama:11434",
        "http://metadata.google.internal",
        "http://box.local",
    ],
)
def test_a_private_address_needs_the_operators_leave(url: str) -> None:
    assert isinstance(base_urls.check(url, allow_private=False), base_urls.Refused)
    allowed = base_urls.check(url, allow_private=True)
    assert isinstance(allowed, base_urls.BaseUrl)
    assert allowed.is_private


def test_a_public_address_is_taken_without_its_last_slash() -> None:
    assert base_urls.check("https://api.example.org/v1/", allow_private=False) == base_urls.BaseUrl(
        "https://api.example.org/v1", is_private=False
    )


SECRET = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=6, max_size=60)


@given(SECRET, st.text(max_size=50), st.sampled_from(["plain", "json", "url", "twice"]))
def test_no_quoting_of_a_secret_survives(secret: str, around: str, how: str) -> None:
    quoted = {
        "plain": secret,
        "json": json.dumps({"key": secret}),
        "url": urllib.parse.quote(secret, safe=""),
        "twice": json.dumps(json.dumps(secret)),
    }[how]
    once = json.dumps(secret)[1:-1]
    inner = {"plain": secret, "json": once, "url": quoted, "twice": json.dumps(once)[1:-1]}
    cleaned = redaction.redact(f"{around}{quoted}{around}", [secret])
    assert inner[how].lower() not in cleaned.replace(redaction.MASK, "\x00").lower()


def test_a_diagnosis_is_cut_after_it_was_redacted() -> None:
    secret = "sk-very-secret-indeed"
    text = "x" * (MAX_DIAGNOSIS_CHARS - 5) + secret
    cleaned = redaction.diagnosis(text, [secret])
    assert len(cleaned) == MAX_DIAGNOSIS_CHARS
    assert "sk-" not in cleaned


@given(st.text(), st.lists(st.integers(0, 60), max_size=6))
def test_text_that_is_cut_anywhere_between_code_units_is_joined_again(text: str, cuts: list[int]) -> None:
    units = text.encode("utf-16-le", "surrogatepass")
    at = [0, *sorted(2 * min(cut, len(units) // 2) for cut in cuts), len(units)]
    parts = [units[a:b].decode("utf-16-le", "surrogatepass") for a, b in itertools.pairwise(at)]
    joiner = Joiner()
    assert "".join(joiner.feed(part) for part in parts) + joiner.flush() == mend(text)


@pytest.mark.parametrize(("status", "code"), BY_STATUS.items())
def test_a_status_alone_decides(status: int, code: ErrorCode) -> None:
    assert classify(Signs(status)) is code


@pytest.mark.parametrize("name", BY_NAME)
def test_a_name_alone_decides(name: str) -> None:
    assert classify(signs_of({"error": {"type": name, "message": "rate limit budget credential 429"}})) is BY_NAME[name]


def test_a_shape_that_is_not_known_is_a_gap_of_ours() -> None:
    shapes: list[object] = [None, [], "overloaded", {"error": "rate limited"}, {"error": {"message": "HTTP 503"}}]
    for odd in shapes:
        assert ORIGINS[classify(signs_of(odd))] is FailureOrigin.CODE


LEAVES = st.none() | st.booleans() | st.integers() | st.text()
FUNCTIONS = st.fixed_dictionaries({}, optional={"name": st.text(), "arguments": st.text() | st.none()})
FRAGMENTS = st.fixed_dictionaries(
    {},
    optional={
        "index": st.integers(0, 3) | st.none() | st.text(),
        "id": st.text() | st.none(),
        "function": st.none() | FUNCTIONS,
    },
)


@given(st.recursive(LEAVES, lambda inner: st.dictionaries(st.text(), inner)))
def test_any_body_has_one_class(body: object) -> None:
    assert classify(signs_of(body)) in ErrorCode


@given(st.lists(FRAGMENTS))
def test_any_fragments_give_calls_with_ids_of_their_own(fragments: list[dict[str, object]]) -> None:
    calls = Calls()
    for fragment in fragments:
        calls.feed(fragment)
    made = calls.finished("seed")
    assert len({call.id for call in made}) == len(made)
    assert all(len(call.id) == ID_LENGTH and call.id.isalnum() for call in made)
    assert made == calls.finished("seed")
