"""A backlog as one CSV table, a row for each thing, and back; lists are lines in a cell."""

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from api.rooms.backlog.domain.documents import BacklogDocument
from contracts.backlog import STORY_LISTS

COLUMNS = (
    "type", "code", "parent", "title", "description", "status", "rules", "modules", "domain", "by_hand",
    "blocked_reason", "capacity", "stories", *STORY_LISTS,
)  # fmt: skip
FEATURE_LISTS = ("acceptance_criteria", "test_scenarios")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would run: such a cell begins with an apostrophe, which is taken off again."""


def write(document: BacklogDocument) -> str:
    """With a byte order mark left to whoever sends it."""
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    table.writeheader()
    for row in _rows(document):
        table.writerow({name: _guarded(str(value)) for name, value in row.items()})
    return out.getvalue()


def _rows(document: BacklogDocument) -> Iterable[dict[str, Any]]:
    for rule in document.rules:
        yield {"type": "rule", "code": rule.code, "title": rule.title, "description": rule.description}
    for epic in document.epics:
        yield {"type": "epic", "code": epic.code, "title": epic.title, "description": epic.description}
    for feature in document.features:
        yield {
            "type": "feature",
            "code": feature.code,
            "title": feature.title,
            "description": feature.description,
            **{name: "\n".join(getattr(feature, name)) for name in FEATURE_LISTS},
        }
    for story in document.stories:
        content = story.content
        yield {
            "type": "story",
            "code": story.code,
            "parent": story.feature or story.epic,
            "title": content.title,
            "description": content.description,
            "status": story.status.value,
            "rules": " ".join(content.rules),
            "modules": " ".join(story.modules),
            **{name: "\n".join(getattr(content, name)) for name in STORY_LISTS},
        }
    for task in document.tasks:
        yield {
            "type": "task",
            "code": task.code,
            "parent": task.story,
            "title": task.title,
            "description": task.description,
            "status": task.status.value,
            "domain": task.domain.value if task.domain else "",
            "by_hand": "yes" if task.is_locked else "",
            "blocked_reason": task.blocked_reason,
        }
    for each in document.iterations:
        yield {
            "type": "iteration",
            "code": each.code,
            "title": each.title,
            "capacity": each.capacity,
            "stories": " ".join(each.stories),
        }


def read(text: str) -> dict[str, Any]:
    """As the JSON document would say it; nothing is checked here. Raises ValueError."""
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), strict=True))
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in PLURALS.values()}
    for number, row in enumerate(rows, 2):
        kind = (row.get("type") or "").strip()
        if kind not in PLURALS:
            raise ValueError(f"row {number}: `type` is one of {', '.join(PLURALS)}, and not {kind[:40]!r}")
        found[PLURALS[kind]].append(_READERS[kind]({name: _bare(value or "") for name, value in row.items() if name}))
    return {"format": "mutirao.backlog", "version": 1, **found}


def _rule(row: Mapping[str, str]) -> dict[str, Any]:
    return {name: row.get(name, "") for name in ("code", "title", "description")}


def _story(row: Mapping[str, str]) -> dict[str, Any]:
    lists = {name: [line for line in row.get(name, "").splitlines() if line.strip()] for name in STORY_LISTS}
    content = {"title": row["title"], "description": row.get("description", ""), **lists}
    content["rules"] = row.get("rules", "").split()
    return {
        "code": row["code"],
        "epic": row["parent"].split(".")[0],
        "feature": row["parent"] if "." in row["parent"] else None,
        "content": content,
        "status": row.get("status") or "draft",
        "modules": row.get("modules", "").split(),
    }


def _feature(row: Mapping[str, str]) -> dict[str, Any]:
    lists = {name: [line for line in row.get(name, "").splitlines() if line.strip()] for name in FEATURE_LISTS}
    return {**_rule(row), **lists}


def _task(row: Mapping[str, str]) -> dict[str, Any]:
    return {
        "code": row["code"],
        "story": row["parent"],
        "title": row["title"],
        "description": row.get("description", ""),
        "domain": row.get("domain") or None,
        "status": row.get("status") or "todo",
        "is_locked": bool(row.get("by_hand")),
        "blocked_reason": row.get("blocked_reason", ""),
    }


def _iteration(row: Mapping[str, str]) -> dict[str, Any]:
    capacity = row.get("capacity", "")
    return {
        "code": row["code"],
        "title": row["title"],
        "capacity": int(capacity) if capacity.isdecimal() else capacity,
        "stories": row.get("stories", "").split(),
    }


PLURALS = {
    "rule": "rules",
    "epic": "epics",
    "feature": "features",
    "story": "stories",
    "task": "tasks",
    "iteration": "iterations",
}
_READERS = {"rule": _rule, "epic": _rule, "feature": _feature, "story": _story, "task": _task, "iteration": _iteration}


def _guarded(cell: str) -> str:
    return f"'{cell}" if cell.startswith((*FORMULA, "'")) else cell


def _bare(cell: str) -> str:
    return cell.removeprefix("'")
