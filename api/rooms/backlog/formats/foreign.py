"""Backlogs of other tools as a document of ours, as far as their public formats say: Jira, Plane, Task Master."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from contracts.limits import MAX_LINE_CHARS, MAX_TITLE_CHARS
from contracts.text import fold

IMPORTED = "Imported"
TASK_STATUS = {
    "to do": "todo", "todo": "todo", "open": "todo", "backlog": "todo", "pending": "todo", "unstarted": "todo",
    "in progress": "in_progress", "in-progress": "in_progress", "started": "in_progress", "doing": "in_progress",
    "in review": "in_review", "review": "in_review", "done": "done", "closed": "done", "resolved": "done",
    "completed": "done",
}  # fmt: skip
"""What others call the states of a task; what is not here is to do."""


class Unreadable(ValueError):
    """What a text has not that its format says."""


@dataclass
class Draft:
    """A document that grows; codes are given here, and titles are made unique."""

    epics: dict[str, dict[str, Any]] = field(default_factory=dict)
    stories: list[dict[str, Any]] = field(default_factory=list)
    tasks: list[dict[str, Any]] = field(default_factory=list)
    iterations: dict[str, dict[str, Any]] = field(default_factory=dict)
    titles: set[str] = field(default_factory=set)

    def epic(self, title: str, description: str = "") -> str:
        """The code of the epic of this title, made when it is first named."""
        name = _title(title) or IMPORTED
        row = self.epics.setdefault(fold(name), {"code": f"E{len(self.epics) + 1}", "title": name, "description": ""})
        row["description"] = row["description"] or _text(description)
        code: str = row["code"]
        return code

    def story(self, epic: str, title: str, description: str = "", **lists: Sequence[str]) -> str:
        code, name = f"S-{len(self.stories) + 1}", _title(title) or f"{IMPORTED} {len(self.stories) + 1}"
        if fold(name) in self.titles:
            name = f"{name[: MAX_TITLE_CHARS - 12]} ({code})"
        self.titles.add(fold(name))
        content = {"title": name, "description": _text(description), **{key: _lines(lists[key]) for key in lists}}
        self.stories.append({"code": code, "epic": epic, "content": content})
        return code

    def task(self, story: str, title: str, description: str = "", status: str = "") -> None:
        known = TASK_STATUS.get(fold(status), "todo")
        code = f"T-{len(self.tasks) + 1}"
        row = {"code": code, "story": story, "title": _title(title) or code, "description": _text(description)}
        self.tasks.append({**row, "status": known})

    def schedule(self, iteration: str, story: str) -> None:
        if not iteration.strip():
            return
        name = _title(iteration)
        new = {"code": f"I-{len(self.iterations) + 1}", "title": name, "capacity": 1, "stories": []}
        row = self.iterations.setdefault(fold(name), new)
        row["stories"].append(story)
        row["capacity"] = max(row["capacity"], len(row["stories"]))

    def document(self) -> dict[str, Any]:
        return {
            "format": "mutirao.backlog",
            "version": 1,
            "epics": list(self.epics.values()),
            "stories": self.stories,
            "tasks": self.tasks,
            "iterations": list(self.iterations.values()),
        }


def jira(text: str) -> dict[str, Any]:
    """Jira's CSV export: epics, their issues as stories, sub-tasks as tasks; a sprint is an iteration."""
    rows = _table(text, ("Summary", "Issue Type"))
    draft, epics, stories = Draft(), {}, {}
    for row in rows:
        if fold(row["Issue Type"]) == "epic":
            name = row.get("Custom field (Epic Name)") or row["Summary"]
            epics[_key(row)] = epics[row.get("Issue id", "")] = draft.epic(name, row.get("Description", ""))
    for row in rows:
        if fold(row["Issue Type"]) in {"epic", "sub-task", "subtask"}:
            continue
        above = [row.get(name, "") for name in ("Parent key", "Parent", "Parent id", "Custom field (Epic Link)")]
        epic = next((epics[each] for each in above if each and each in epics), None) or draft.epic(IMPORTED)
        code = draft.story(epic, row["Summary"], row.get("Description", ""))
        stories[_key(row)] = stories[row.get("Issue id", "")] = code
        draft.schedule(row.get("Sprint", ""), code)
    for row in rows:
        if fold(row["Issue Type"]) in {"sub-task", "subtask"}:
            above = [row.get(name, "") for name in ("Parent key", "Parent", "Parent id")]
            story = next((stories[each] for each in above if each and each in stories), None)
            if story is None:
                story = draft.story(draft.epic(IMPORTED), row["Summary"], row.get("Description", ""))
            draft.task(story, row["Summary"], row.get("Description", ""), row.get("Status", ""))
    return draft.document()


def plane(text: str) -> dict[str, Any]:
    """Plane's CSV export: work items are stories, a module is an epic, a cycle an iteration."""
    draft = Draft()
    for row in _table(text, ("Name",)):
        epic = draft.epic(row.get("Module Name") or row.get("Project") or IMPORTED)
        code = draft.story(epic, row["Name"], row.get("Description", ""))
        draft.schedule(row.get("Cycle Name", ""), code)
    return draft.document()


def task_master(text: str) -> dict[str, Any]:
    """A `tasks.json`: a tag is an epic, a task a story with its test strategy, subtasks are tasks."""
    given = json.loads(text)
    if not isinstance(given, dict):
        raise Unreadable("a tasks.json is a JSON object with `tasks`, or with tags that have `tasks`")
    tags = {IMPORTED: given} if isinstance(given.get("tasks"), list) else given
    draft = Draft()
    for tag, body in tags.items():
        tasks = body.get("tasks") if isinstance(body, dict) else None
        if not isinstance(tasks, list):
            raise Unreadable(f"{str(tag)[:40]!r} has no list `tasks`")
        for task in (each for each in tasks if isinstance(each, dict)):
            _task_of_task_master(draft, draft.epic(str(tag)), task)
    return draft.document()


def _task_of_task_master(draft: Draft, epic: str, task: Mapping[str, Any]) -> None:
    text = "\n\n".join(_said(task, name) for name in ("description", "details") if _said(task, name))
    code = draft.story(epic, _said(task, "title"), text, test_scenarios=_said(task, "testStrategy").splitlines())
    subtasks = task.get("subtasks")
    for each in subtasks if isinstance(subtasks, list) else ():
        if isinstance(each, dict):
            text = "\n\n".join(_said(each, name) for name in ("description", "details") if _said(each, name))
            draft.task(code, _said(each, "title"), text, _said(each, "status"))


def _said(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""


def _table(text: str, needed: Sequence[str]) -> list[dict[str, str]]:
    """Rows by their headings, the first of headings that come twice. Raises Unreadable naming what is missing."""
    table = csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    headings = next(table, [])
    missing = [name for name in needed if name not in headings]
    if missing:
        raise Unreadable(
            f"the table has no column {', '.join(missing)}; it has: {', '.join(headings)[:300] or 'nothing'}"
        )
    return [_row(headings, cells) for cells in table if any(cell.strip() for cell in cells)]


def _row(headings: Iterable[str], cells: Iterable[str]) -> dict[str, str]:
    row: dict[str, str] = {}
    for name, cell in zip(headings, cells, strict=False):
        row[name] = row.get(name) or cell.strip()
    return row


def _key(row: Mapping[str, str]) -> str:
    return row.get("Issue key", "")


def _title(text: str) -> str:
    return " ".join(text.split())[:MAX_TITLE_CHARS].strip()


def _text(text: str) -> str:
    return text.strip()[:20_000]


def _lines(lines: Sequence[str]) -> list[str]:
    return [line.strip()[:MAX_LINE_CHARS] for line in lines if line.strip()][:100]


READERS: dict[str, Callable[[str], dict[str, Any]]] = {"jira": jira, "plane": plane, "task_master": task_master}
