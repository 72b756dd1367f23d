"""Edit a story: against the version that was read, with what changes told, and readiness looked at again (D-50)."""

from collections.abc import Sequence

from api.rooms.backlog.domain import changes as changing
from api.rooms.backlog.domain import states
from api.rooms.backlog.models import Story
from api.rooms.backlog.services import contents, likeness, numbering, refusing, standing
from api.rooms.backlog.services.finding import story_of
from api.rooms.backlog.services.writing import Writer
from contracts.backlog import StoryChanges, StoryContent
from contracts.events import StoryEdited
from contracts.events.backlog import TextChange
from contracts.routes.backlog import StoryChanged
from contracts.text import fold
from contracts.vocabulary import ActorKind


def edit_story(writer: Writer, code: str, version: int, changes: StoryChanges) -> StoryChanged:
    """In the caller's transaction. An edit that changes nothing writes nothing."""
    promotion = numbering.lock(writer.project_id)
    story = story_of(writer.project_id, code)
    _refuse_unless_editable(story)
    refusing.refuse_stale(story.code, story.version, version)
    before = contents.content_of(story)
    after = _after(story, before, changes)
    rules = contents.rules_of(writer.project_id, after.rules)
    found = changing.between(before, after)
    _refuse_hand_written(writer, story, found)
    if found:
        fields = contents.fields_of(after)
        standing.save(story, **fields, title_folded=fold(after.title), version=story.version + 1, returned_reason="")
        contents.cite(story, rules)
        told = StoryEdited(story_id=story.id, code=story.code, title=story.title, version=story.version, changes=found)
        writer.tell(told)
        standing.settle(writer, story, after, promotion)
    return StoryChanged(story=contents.state_of(story, after), changes=found)


def _refuse_hand_written(writer: Writer, story: Story, found: Sequence[TextChange]) -> None:
    """What a person wrote stays until they give the story back; everything else is agents' to change."""
    names = {change.field for change in found}
    if writer.actor.kind is ActorKind.USER:
        story.locked_fields = sorted({*story.locked_fields, *names})
        story.save(update_fields=["locked_fields"])
        return
    locked = sorted(names & set(story.locked_fields))
    if locked:
        raise refusing.invalid(
            f"{', '.join(locked)} of {story.code} was written by hand. Leave it out, or ask the person to change it.",
            story=story.code,
            locked=",".join(locked),
        )


def _after(story: Story, before: StoryContent, changes: StoryChanges) -> StoryContent:
    after = changing.applied(before, changes)
    title = refusing.title(after.title)
    likeness.refuse_same(story.project_id, title, story.id)
    return after.model_copy(update={"title": title})


def _refuse_unless_editable(story: Story) -> None:
    if story.status not in states.EDITABLE:
        raise refusing.invalid(f"{story.code} is {story.status}: its words are not changed any more.", story=story.code)
