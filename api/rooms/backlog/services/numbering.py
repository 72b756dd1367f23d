"""Codes: one row for each project gives them out, after session and instance in the order of all locks."""

import re
from uuid import UUID

from django.db.models import F

from api.rooms.backlog.models import Backlog, Numbered, Story
from contracts.vocabulary import Promotion


def lock(project_id: UUID) -> Promotion:
    """Until the transaction ends nobody else writes in this project's backlog; answers how stories are promoted."""
    rows = Backlog.objects.select_for_update(no_key=True).filter(project_id=project_id)
    row = rows.first()
    if row is None:
        Backlog.objects.bulk_create([Backlog(project_id=project_id)], ignore_conflicts=True)
        row = rows.get()
    return Promotion(row.promotion)


def prefer(project_id: UUID, counter: str, code: str, model: type[Numbered]) -> None:
    """Under the lock: the next number of this kind is the one of `code`, unless that was given out already."""
    wanted = int(re.split(r"[^0-9]", code)[-1])
    backlog = Backlog.objects.filter(project_id=project_id)
    following: int = backlog.values_list(counter, flat=True).get()
    taken = model._default_manager.filter(project_id=project_id, number=wanted)  # noqa: SLF001 - Django's name for it
    if wanted >= following and not taken.exists():
        backlog.update(**{counter: wanted})


def touch_tasks(story: Story) -> int:
    """The task set of the story is another one from now on: its new version."""
    story.tasks_version += 1
    story.save(update_fields=["tasks_version"])
    return story.tasks_version


def take(project_id: UUID, counter: str) -> int:
    """The next number of this kind, under the lock."""
    number: int = Backlog.objects.values_list(counter, flat=True).get(project_id=project_id)
    Backlog.objects.filter(project_id=project_id).update(**{counter: F(counter) + 1})
    return number
