"""What was written once is read for ever."""

import json
from pathlib import Path

import pytest

from contracts.events import EVENT_TYPES, LogEvent

PAYLOADS = Path(__file__).parent / "payloads"


@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*.json")), ids=lambda path: path.stem)
def test_an_old_event_still_parses(path: Path) -> None:
    text = path.read_text()
    event = LogEvent.model_validate_json(text)
    assert event.payload.type == json.loads(text)["payload"]["type"]


def test_there_is_an_old_event_of_every_type() -> None:
    assert {json.loads(path.read_text())["payload"]["type"] for path in PAYLOADS.glob("*.json")} == set(EVENT_TYPES)
