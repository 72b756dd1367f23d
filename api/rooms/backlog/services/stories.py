"""Make a story: its epic, its rules and its title are looked at before anything is written."""

from uuid import UUID

from api.rooms.backlog.models import Story
from api.rooms.backlog.services import contents, likeness, numbering, refusing, standing
from api.rooms.backlog.services.epics import epic_of
from api.rooms.backlog.services.features import feature_of
from api.rooms.backlog.services.likeness import Alike
from api.rooms.backlog.services.writing import Writer
from contracts.backlog import StoryContent
from contracts.events import StoryCreated, StoryOverlapWarned, StoryResembles
from contracts.events.backlog import Named
from contracts.routes.backlog import StoryMade
from contracts.text import fold
from contracts.vocabulary import StoryStatus


def create_story(writer: Writer, epic_code: str, content: StoryContent, feature_code: str | None = None) -> StoryMade:
    """In the caller's transaction. What is complete is proposed or ready at once, by the project's promotion."""
    content = content.model_copy(update={"title": refusing.title(content.title)})
    promotion = numbering.lock(writer.project_id)
    epic = epic_of(writer.project_id, epic_code)
    feature = feature_of(epic, feature_code) if feature_code else None
    rules = contents.rules_of(writer.project_id, content.rules)
    likeness.refuse_same(writer.project_id, content.title)
    story = Story.objects.create(
        project_id=writer.project_id,
        session_id=writer.session_id,
        epic=epic,
        feature=feature,
        number=numbering.take(writer.project_id, "next_story"),
        title_folded=fold(content.title),
        position=epic.stories.count() + 1,
        **contents.fields_of(content),
    )
    contents.cite(story, rules)
    content = contents.content_of(story)
    _tell_created(writer, story, content, epic.code)
    overlaps, resembles = likeness.covering(story, rules), likeness.alike(story)
    _warn(writer, story, content, overlaps, resembles)
    standing.settle(writer, story, content, promotion)
    state = contents.state_of(story, content)
    return StoryMade(story=state, overlaps=overlaps, resembles=resembles.named if resembles else ())


def _tell_created(writer: Writer, story: Story, content: StoryContent, epic: str) -> None:
    writer.tell(
        StoryCreated(
            story_id=story.id,
            code=story.code,
            epic=epic,
            feature=story.feature.code if story.feature else None,
            title=story.title,
            status=StoryStatus.DRAFT,
            rules=content.rules,
        )
    )


def _warn(writer: Writer, story: Story, content: StoryContent, overlaps: Named | None, resembles: Alike | None) -> None:
    known = (story.id, story.code, story.title)
    if overlaps is not None:
        writer.tell(_overlap(*known, overlaps, content.rules))
    if resembles is not None:
        writer.tell(_resemblance(*known, resembles))


def _overlap(story_id: UUID, code: str, title: str, overlaps: Named, rules: tuple[str, ...]) -> StoryOverlapWarned:
    return StoryOverlapWarned(story_id=story_id, code=code, title=title, overlaps=overlaps, rules=rules)


def _resemblance(story_id: UUID, code: str, title: str, found: Alike) -> StoryResembles:
    return StoryResembles(story_id=story_id, code=code, title=title, resembles=found.named, likeness=found.percent)
