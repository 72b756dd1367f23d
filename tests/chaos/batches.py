"""Detail an iteration while workers die: every story once, none twice, none lost."""

import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from contracts.events import TasksReplaced
from tests.plugins.house import WORKERS, House
from tests.system.person import Person, Talk

PATIENCE_SECONDS = 240.0
LINE = "It holds, and whoever is affected sees that it does."


@dataclass
class Outcome:
    """What came of a batch. `written` counts the events that wrote tasks, by story."""

    seconds: float
    kills: int
    stories: list[str]
    written: dict[str, int] = field(default_factory=dict)
    tasks: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    went_on: int = 0

    def complaints(self) -> list[str]:
        """Each story exactly once, and with tasks."""
        wrong = [
            f"{code} was written {self.written.get(code, 0)} times"
            for code in self.stories
            if self.written.get(code) != 1
        ]
        return wrong + [f"{code} has no task" for code in self.stories if not self.tasks[code]]


def document(stories: int) -> dict[str, Any]:
    """A backlog to bring in: one epic, stories with a requirement each, and an iteration with all of them."""
    codes = [f"S-{number}" for number in range(1, stories + 1)]
    rows = [
        {"code": code, "epic": "E1", "content": {"title": f"Story {code}", "functional_requirements": [LINE]}}
        for code in codes
    ]
    return {
        "epics": [{"code": "E1", "title": "Everything"}],
        "stories": rows,
        "iterations": [{"code": "I-1", "title": "All", "capacity": stories, "stories": codes}],
    }


def detail(house: House, stories: int, kills: int, dice: random.Random) -> Outcome:
    """One batch; workers are killed with -9 at random moments of it, one or both."""
    person = Person(house.stack)
    project = person.create_project()
    text = json.dumps(document(stories))
    person.act("POST", f"projects/{project}/backlog/import", {"format": "json", "text": text, "is_dry_run": False})
    path = f"projects/{project}/iterations/I-1"
    began = time.monotonic()
    session_id = person.act("POST", f"{path}/detail")["batch"]["session_id"]
    outcome = Outcome(0.0, 0, [f"S-{number}" for number in range(1, stories + 1)])
    for _ in range(kills):
        time.sleep(dice.uniform(0.2, 2.0))
        for name in dice.choice([WORKERS[:1], WORKERS[1:], WORKERS]):
            if name in house.stack.pids:  # one that is being started again cannot be killed
                house.stack.kill(name)
                outcome.kills += 1
    outcome.went_on = _finish(lambda: person.act("GET", path)["batch"], lambda: person.act("POST", f"{path}/detail"))
    outcome.seconds = time.monotonic() - began
    _read(person, project, session_id, outcome)
    return outcome


def _finish(batch: Callable[[], dict[str, Any]], go_on: Callable[[], object]) -> int:
    """A person goes on with what failed; how often they had to."""
    deadline, times = time.monotonic() + PATIENCE_SECONDS, 0
    while not (state := batch())["is_finished"]:
        assert time.monotonic() < deadline, [each for each in state["stories"] if each["state"] != "done"]
        if not state["is_at_work"]:
            go_on()
            times += 1
        time.sleep(0.5)
    return times


def _read(person: Person, project: str, session_id: str, outcome: Outcome) -> None:
    talk = Talk(person, project, session_id)
    for event in talk.read():
        if isinstance(event.payload, TasksReplaced):
            outcome.written[event.payload.code] = outcome.written.get(event.payload.code, 0) + 1
    for epic in person.act("GET", f"projects/{project}/backlog")["epics"]:
        for story in epic["stories"]:
            outcome.tasks[story["code"]] = story["tasks"]
