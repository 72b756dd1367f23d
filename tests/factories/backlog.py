"""A Product Owner at work in a project with rules."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.rooms.backlog import lists
from api.rooms.backlog.services import by_agents
from api.rooms.handoffs import services as handoffs
from contracts.auth import body_hash
from contracts.backlog import StoryChanges, StoryContent
from contracts.routes.backlog import (
    BacklogAnswer,
    CreateEpic,
    CreateFeature,
    CreateStory,
    CreateTask,
    EditStory,
    EpicMade,
    FeatureMade,
    ReadBacklog,
    RulesAnswer,
    StoryChanged,
    StoryMade,
    TaskMade,
)
from contracts.routes.effects import Effect
from tests.factories.conversation import rule, say
from tests.factories.places import Place
from tests.factories.workers import Worker, running

COMPLETE: dict[str, Any] = {
    "functional_requirements": ("The neighbour sees the stalls.",),
    "acceptance_criteria": ("Given a stall, when it opens, then it is seen.",),
    "definition_of_ready": ("The rule is agreed on.",),
    "definition_of_done": ("It is tested.",),
}
"""Everything that a story needs beside a rule."""


def content(title: str, *rules: str, **fields: Any) -> StoryContent:
    return StoryContent(title=title, rules=rules, **fields)


def hash_of(asked: Effect) -> str:
    return body_hash(asked.model_dump_json(exclude={"epoch"}).encode())


@dataclass
class Owner:
    """Each act is a step of its own, as the runtime makes it; `step` repeats an earlier one."""

    worker: Worker

    def _fields(self, step: int | None) -> dict[str, Any]:
        if step is None:
            self.worker.save(self.worker.next_step())
        return {"epoch": self.worker.epoch, "turn_id": self.worker.turn_id, "step": step or self.worker.step}

    @property
    def instance_id(self) -> UUID:
        return self.worker.instance_id

    def epic(self, title: str = "Stalls", step: int | None = None) -> EpicMade:
        asked = CreateEpic(title=title, **self._fields(step))
        return by_agents.epic(self.instance_id, asked, hash_of(asked))

    def feature(self, epic: str = "E1", title: str = "See") -> FeatureMade:
        asked = CreateFeature(epic=epic, title=title, acceptance_criteria=("It is seen.",), **self._fields(None))
        return by_agents.feature(self.instance_id, asked, hash_of(asked))

    def story(
        self, told: StoryContent, epic: str = "E1", step: int | None = None, feature: str | None = None
    ) -> StoryMade:
        asked = CreateStory(epic=epic, feature=feature, content=told, **self._fields(step))
        return by_agents.story(self.instance_id, asked, hash_of(asked))

    def edit(self, story: str, version: int, **changes: Any) -> StoryChanged:
        told = StoryChanges(**changes)
        asked = EditStory(story=story, version=version, changes=told, **self._fields(None))
        return by_agents.story_edit(self.instance_id, asked, hash_of(asked))

    def task(self, story: str = "S-1", title: str = "A page of stalls", step: int | None = None) -> TaskMade:
        asked = CreateTask(story=story, title=title, **self._fields(step))
        return by_agents.task(self.instance_id, asked, hash_of(asked))

    def rules(self) -> RulesAnswer:
        return lists.rules(self.instance_id, self._read())

    def backlog(self) -> BacklogAnswer:
        return lists.backlog(self.instance_id, self._read())

    def _read(self) -> ReadBacklog:
        return ReadBacklog(epoch=self.worker.epoch, turn_id=self.worker.turn_id)


def recorded(place: Place, *titles: str) -> Worker:
    """The Creative recorded these rules and its turn is over; their codes are R-1, R-2 … in a new project."""
    message = say(place)
    worker = running(place.session_id)
    for number, title in enumerate(titles):
        worker.emit(rule(title, message.seq), step=worker.step + number)
    return worker


def owner(place: Place, *titles: str) -> Owner:
    """The brief's handoff is accepted, and the Product Owner is in the turn that this began."""
    creative = recorded(place, *titles)
    handoff_id = creative.offer().handoff_id
    creative.answer()
    creative.release()
    handoffs.accept(handoff_id, place.user_id)
    return Owner(running(place.session_id, "product_owner"))
