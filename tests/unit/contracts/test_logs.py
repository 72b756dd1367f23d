"""One JSON object a line, with the ids of the story, and never a secret."""

import json
import logging
import re
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import story
from contracts.logs import JsonLine, Words, configuration
from contracts.redaction import HIDDEN, redact

SECRET = "Zq81hT55bWx0pL2aK9"


def record(text: str, **extra: object) -> logging.LogRecord:
    made = logging.LogRecord("api.access", logging.INFO, "file", 1, text, None, None)
    made.__dict__.update(extra)
    return made


def test_a_line_is_one_json_object_with_the_ids_that_are_known() -> None:
    with story.told(request_id="one", instance_id="two"):
        story.note(user_id="three", password="four")
        line = json.loads(JsonLine("relay").format(record("wake\ndelivered", status=200, prompt="Once upon")))
    assert line.pop("time")[-6:] == "+00:00"
    assert line == {
        "level": "info",
        "logger": "api.access",
        "event": "wake\ndelivered",
        "service": "relay",
        "request_id": "one",
        "instance_id": "two",
        "user_id": "three",
        "status": 200,
    }


def test_words_say_the_same_in_one_line() -> None:
    with story.told(request_id="one"):
        assert Words().format(record("request", ms=1.5))[13:] == "INFO    api.access: request request_id=one ms=1.5"


def test_a_failure_is_told_without_its_secrets() -> None:
    failure = RuntimeError(f"Authorization: Bearer {SECRET}")
    made = record("broken")
    made.exc_info = (RuntimeError, failure, None)
    line = json.loads(JsonLine("api").format(made))
    assert (SECRET in json.dumps(line), HIDDEN in line["exception"]) == (False, True)


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bearer {SECRET}",
        f"{{'api_key': '{SECRET}', 'model': 'x'}}",
        f'{{"password": "{SECRET}"}}',
        f"Cookie: sessionid={SECRET}; csrftoken={SECRET}",
        f"postgresql://app:{SECRET}@127.0.0.1/db is away",
        f"refused sk-proj-{SECRET}",
        f"MUTIRAO_SECRET_KEY={SECRET}",
        f"x-api-key: {SECRET}",
        f"with bearer {SECRET} in the middle",
    ],
)
def test_no_line_holds_a_secret(text: str) -> None:
    assert (SECRET in redact(text), HIDDEN in redact(text)) == (False, True)


def test_ordinary_words_stay_as_they_are() -> None:
    text = "wake of creative 0197-aa not taken: 503: the broker used max_tokens: 500 of http://127.0.0.1:80/x"
    assert redact(text) == text


@given(st.text() | st.none() | st.integers())
def test_a_request_id_is_always_short_and_harmless(given_id: object) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", story.request_id(given_id))


def test_a_good_id_is_kept() -> None:
    assert story.request_id("Web_42-a") == "Web_42-a"


def test_threads_begun_without_a_story_tell_none() -> None:
    seen: list[dict[str, str]] = []
    with story.told(request_id="one"):
        thread = threading.Thread(target=lambda: seen.append(story.current()))
        thread.start()
        thread.join()
    assert (seen, story.current()) == ([{}], {})


@pytest.mark.parametrize(("name", "value"), [("MUTIRAO_LOG_FORMAT", "xml"), ("MUTIRAO_LOG_LEVEL", "loud")])
def test_an_unknown_form_or_level_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=name):
        configuration("api", {name: value})
