"""The golden schemas: `make wire` writes them anew, and refuses when something published would be narrowed."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from contracts.events import EVENT_TYPES, LogEvent
from contracts.problem import Problem
from contracts.routes import SERVED_BY_API, SERVED_BY_ENGINE
from tests.contract.compatibility import narrowings

FOLDER = Path(__file__).parent / "schemas"


def models() -> Iterator[tuple[str, type[BaseModel]]]:
    """Everything that travels or is stored, by a stable name."""
    yield "problem", Problem
    yield "log_event", LogEvent
    for name, model in EVENT_TYPES.items():
        yield f"event.{name}", model
    for route in (*SERVED_BY_API, *SERVED_BY_ENGINE):
        yield f"route.{route.name}.request", route.request
        yield f"route.{route.name}.response", route.response


def schema_text(model: type[BaseModel]) -> str:
    return json.dumps(model.model_json_schema(), indent=1, sort_keys=True) + "\n"


def write() -> list[str]:
    """Writes what is not narrower than before; what is, is named."""
    refused = []
    FOLDER.mkdir(exist_ok=True)
    for name, model in models():
        path = FOLDER / f"{name}.json"
        if path.exists() and (found := narrowings(json.loads(path.read_text()), model.model_json_schema())):
            refused += [f"{name} {place}" for place in found]
            continue
        path.write_text(schema_text(model))
    return refused


if __name__ == "__main__":
    problems = write()
    if problems:
        sys.exit("Published contracts may only be widened:\n" + "\n".join(problems))
