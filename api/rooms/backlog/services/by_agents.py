"""What agents do to the backlog of their project: fenced, keyed, and only what their card lets them write."""

from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from django.db import transaction

from api.rooms.agents import services as agents
from api.rooms.backlog.services.editing import edit_story
from api.rooms.backlog.services.epics import create_epic
from api.rooms.backlog.services.features import create_feature
from api.rooms.backlog.services.stories import create_story
from api.rooms.backlog.services.tasks import create_task
from api.rooms.backlog.services.writing import Writer
from api.rooms.kernel.refusals import Refusal
from contracts.agents import card_of
from contracts.base import Message
from contracts.events import Actor
from contracts.problem import ProblemCode
from contracts.routes.backlog import (
    CreateEpic,
    CreateFeature,
    CreateStory,
    CreateTask,
    EditStory,
    EpicMade,
    FeatureMade,
    StoryChanged,
    StoryMade,
    TaskMade,
)
from contracts.routes.effects import Effect
from contracts.vocabulary import ActorKind

Answer = TypeVar("Answer", bound=Message)


@transaction.atomic
def write_once(
    instance_id: UUID, asked: Effect, body_hash: str, what: str, kind: type[Answer], act: Callable[[Writer], Answer]
) -> Answer:
    """Session and instance are locked; the answer is kept with what was done. The agent's card must name `what`."""
    facts = agents.fence(instance_id, asked.epoch, asked.turn_id)
    card = card_of(facts.agent)
    if card is None or what not in card.may_write:
        raise Refusal(ProblemCode.FORBIDDEN, f"{facts.agent} does not write {what}: it belongs to another agent.")
    writer = Writer(facts.session_id, facts.project_id, Actor(kind=ActorKind.AGENT, id=facts.agent))
    return agents.answer_once(instance_id, f"{what}:{asked.step}", body_hash, kind, lambda: act(writer))


def epic(instance_id: UUID, asked: CreateEpic, body_hash: str) -> EpicMade:
    def act(writer: Writer) -> EpicMade:
        return create_epic(writer, asked.title, asked.description)

    return write_once(instance_id, asked, body_hash, "epic", EpicMade, act)


def feature(instance_id: UUID, asked: CreateFeature, body_hash: str) -> FeatureMade:
    def act(writer: Writer) -> FeatureMade:
        return create_feature(
            writer, asked.epic, asked.title, asked.description, asked.acceptance_criteria, asked.test_scenarios
        )

    return write_once(instance_id, asked, body_hash, "feature", FeatureMade, act)


def story(instance_id: UUID, asked: CreateStory, body_hash: str) -> StoryMade:
    def act(writer: Writer) -> StoryMade:
        return create_story(writer, asked.epic, asked.content, asked.feature)

    return write_once(instance_id, asked, body_hash, "story", StoryMade, act)


def story_edit(instance_id: UUID, asked: EditStory, body_hash: str) -> StoryChanged:
    def act(writer: Writer) -> StoryChanged:
        return edit_story(writer, asked.story, asked.version, asked.changes)

    return write_once(instance_id, asked, body_hash, "story_edit", StoryChanged, act)


def task(instance_id: UUID, asked: CreateTask, body_hash: str) -> TaskMade:
    def act(writer: Writer) -> TaskMade:
        return create_task(writer, asked.story, asked.title, asked.description)

    return write_once(instance_id, asked, body_hash, "task", TaskMade, act)
