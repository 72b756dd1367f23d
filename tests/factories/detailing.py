"""Agents that write the tasks of stories, at the doors of the rooms."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.rooms.backlog import detailing_inputs
from api.rooms.backlog.services import resolving, task_sets
from api.rooms.backlog.services.batches import agent_of
from contracts.detailing import DetailedTask, DetailingInputs, Domain
from contracts.routes.detailing import ReadStory, ReplaceTasks, ResolveStory, StoryResolved, TasksWritten
from contracts.routes.effects import Effect
from tests.factories.backlog import hash_of
from tests.factories.workers import Worker, running


def task(title: str, domain: Domain = Domain.BACKEND) -> DetailedTask:
    return DetailedTask(domain=domain, title=title, description=f"{title} is done.")


@dataclass
class Detailer:
    """Each act is a step of its own, as the runtime makes it; `step` repeats an earlier one."""

    worker: Worker

    def _fields(self, step: int | None) -> dict[str, Any]:
        if step is None:
            self.worker.save(self.worker.next_step())
        return {"epoch": self.worker.epoch, "turn_id": self.worker.turn_id, "step": step or self.worker.step}

    def read(self, story: str = "S-1") -> DetailingInputs:
        asked = ReadStory(epoch=self.worker.epoch, turn_id=self.worker.turn_id, story=story)
        return detailing_inputs.for_agent(self.worker.instance_id, asked)

    def replace(
        self, *titles: str, story: str = "S-1", version: int | None = None, step: int | None = None, **fields: Any
    ) -> TasksWritten:
        known = version if version is not None else self.read(story).tasks_version
        asked = ReplaceTasks(
            story=story, tasks_version=known, tasks=tuple(map(task, titles)), **fields, **self._fields(step)
        )
        return task_sets.by_agent(self.worker.instance_id, asked, _hash(asked))

    def resolve(self, said: str, epic: str | None = None) -> StoryResolved:
        asked = ResolveStory(said=said, epic=epic, **self._fields(None))
        return resolving.by_agent(self.worker.instance_id, asked, _hash(asked))


def _hash(asked: Effect) -> str:
    return hash_of(asked)


def detailer(session_id: UUID, story_number: int) -> Detailer:
    """The agent of one story of a batch, in the turn that the request began."""
    return Detailer(running(session_id, agent_of(story_number)))
