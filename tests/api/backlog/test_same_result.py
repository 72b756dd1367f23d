"""Fifty stories, detailed by conversation in their order and by a batch in another: the same tasks, byte for byte."""

import json
import random

from api.rooms.backlog import detailing_inputs, exporting
from api.rooms.backlog import services as backlog
from api.rooms.backlog.services import task_sets
from api.rooms.backlog.services.writing import Writer
from api.rooms.gateway.providers.rehearsal.play import perform
from api.rooms.kernel.ids import new_id
from contracts.detailing import DetailedTask
from contracts.events import Actor
from contracts.routes.detailing import ReplaceTasks
from contracts.routes.model import Final, ModelCall, ModelMessage, ModelToolCall
from contracts.vocabulary import ActorKind, FinishReason, MessageRole
from engine.domain import detailing
from tests.chaos.batches import document
from tests.factories.places import Place, new_place

STORIES = 50


def a_backlog() -> Place:
    place = new_place()
    found = backlog.read_document("json", json.dumps(document(STORIES)))
    backlog.bring_in(place.project_id, place.user_id, found)
    return place


def generated(place: Place, code: str) -> tuple[DetailedTask, ...]:
    """By the one generator, with the rehearsal as its model."""
    messages = detailing.request(detailing_inputs.inputs(place.project_id, code))
    call = ModelCall(
        epoch=1, turn_id=new_id(), step=1, messages=messages, tools=(detailing.SPEC,), max_output_tokens=1_000
    )
    asked = perform(call).tool_calls[0]
    calls = (ModelToolCall(id="a", name=asked.name, arguments=asked.arguments),)
    message = ModelMessage(role=MessageRole.ASSISTANT, tool_calls=calls)
    tasks = detailing.tasks_of(Final(attempt=1, message=message, finish=FinishReason.TOOL_CALLS, bill=None))
    assert isinstance(tasks, tuple)
    return tasks


def write(place: Place, agent: str, codes: list[str]) -> None:
    writer = Writer(place.session_id, place.project_id, Actor(kind=ActorKind.AGENT, id=agent))
    for code in codes:
        version = detailing_inputs.inputs(place.project_id, code).tasks_version
        asked = ReplaceTasks(
            epoch=1, turn_id=new_id(), step=1, story=code, tasks_version=version, tasks=generated(place, code)
        )
        task_sets.replace_tasks(writer, asked)


def told(place: Place) -> dict[str, str]:
    """What stands in each story, codes aside: those are given out in the order of writing."""
    made = exporting.document(place.project_id)
    return {
        story.code: json.dumps(
            [task.model_dump(mode="json", exclude={"code"}) for task in made.tasks if task.story == story.code]
        )
        for story in made.stories
    }


def test_conversation_and_batch_write_the_same_whatever_the_order(db: None) -> None:
    codes = [f"S-{number}" for number in range(1, STORIES + 1)]
    talked, batched = a_backlog(), a_backlog()
    write(talked, "story_editor", codes)
    write(batched, "task_detailing-1", random.Random(7).sample(codes, len(codes)))
    assert told(talked) == told(batched)
    assert all(len(json.loads(tasks)) == 4 for tasks in told(batched).values())
