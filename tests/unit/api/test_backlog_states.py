"""Every pair of statuses is named here: what may follow what, and what may not (RN_009)."""

from itertools import product

import pytest

from api.rooms.backlog.domain import states
from contracts.vocabulary import StoryStatus, TaskStatus

STORY = {
    "draft → ready",
    "ready → in_progress",
    "ready → draft",
    "in_progress → done",
    "in_progress → ready",
}
TASK = {
    "todo → in_progress",
    "in_progress → in_review",
    "in_progress → todo",
    "in_review → done",
    "in_review → in_progress",
    "in_review → todo",
}


@pytest.mark.parametrize(("now", "to"), list(product(StoryStatus, StoryStatus)))
def test_moves_of_a_story(now: StoryStatus, to: StoryStatus) -> None:
    assert states.may_story_move(now, to) == (f"{now} → {to}" in STORY)


@pytest.mark.parametrize(("now", "to"), list(product(TaskStatus, TaskStatus)))
def test_moves_of_a_task(now: TaskStatus, to: TaskStatus) -> None:
    assert states.may_task_move(now, to) == (f"{now} → {to}" in TASK)
