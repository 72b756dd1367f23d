"""A large backlog: how long its tree and its coverage take, as people open them."""

import time
from collections.abc import Sequence

from django.test import Client

from api.rooms.accounts.models import User
from api.rooms.backlog.models import Backlog, Epic, Rule, Story, StoryRule, Task
from api.rooms.kernel.ids import new_id
from tests.bench.clocks import percentile
from tests.factories.places import Place, new_place

RULES, EPICS, STORIES, TASKS = 1_000, 40, 2_000, 10_000
PAGES = ("backlog", "coverage")
TIMES = 20
LINES = ["It is seen on the same day.", "It says what to do when it is not possible."]


def milliseconds() -> dict[str, float]:
    """p95 of the page of each, by what it shows."""
    place = new_place()
    fill(place)
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(User.objects.get(id=place.user_id))
    return {
        name: percentile(_asked(client, f"/projects/{place.project_id}/{name}"), 95) for name in ("backlog", "coverage")
    }


def _asked(client: Client, path: str) -> list[float]:
    return [_once(client, path) for _ in range(TIMES + 1)][1:]


def _once(client: Client, path: str) -> float:
    began = time.perf_counter()
    answer = client.get(path)
    if answer.status_code != 200:
        raise RuntimeError(f"{path}: {answer.status_code}")
    return (time.perf_counter() - began) * 1_000


def fill(place: Place, rules: int = RULES, epics: int = EPICS, stories: int = STORIES, tasks: int = TASKS) -> None:
    """Rows as the services write them, without their events: nothing here reads the log."""
    born: dict[str, object] = {"project_id": place.project_id, "session_id": place.session_id}
    Backlog.objects.create(
        project_id=place.project_id,
        next_rule=rules + 1,
        next_epic=epics + 1,
        next_story=stories + 1,
        next_task=tasks + 1,
    )
    made_rules = [
        Rule(
            **born,
            number=n,
            title=f"Rule {n}",
            title_folded=f"rule {n}",
            description=LINES[0],
            event_id=new_id(),
            seq=n,
        )
        for n in range(1, rules + 1)
    ]
    made_epics = [Epic(**born, number=n, title=f"Epic {n}") for n in range(1, epics + 1)]
    Rule.objects.bulk_create(made_rules)
    Epic.objects.bulk_create(made_epics)
    made = [_story(born, n, made_epics[n % epics]) for n in range(1, stories + 1)]
    Story.objects.bulk_create(made)
    cited = [StoryRule(story=story, rule=made_rules[n % rules], rule_version=1) for n, story in enumerate(made)]
    StoryRule.objects.bulk_create(cited)
    Task.objects.bulk_create(_tasks(born, made, tasks))


def _rule(born: dict[str, object], number: int) -> Rule:
    title = f"rule {number}"
    return Rule(
        **born, number=number, title=title, title_folded=title, description=LINES[0], event_id=new_id(), seq=number
    )


def _story(born: dict[str, object], number: int, epic: Epic) -> Story:
    return Story(
        **born,
        epic=epic,
        number=number,
        title=f"Story {number}",
        title_folded=f"story {number}",
        description=LINES[1],
        functional_requirements=LINES,
        acceptance_criteria=LINES,
        definition_of_ready=LINES,
        definition_of_done=LINES,
        position=number,
    )


def _tasks(born: dict[str, object], stories: Sequence[Story], tasks: int) -> list[Task]:
    return [
        Task(**born, number=n, story=stories[n % len(stories)], title=f"Task {n}", position=n)
        for n in range(1, tasks + 1)
    ]
