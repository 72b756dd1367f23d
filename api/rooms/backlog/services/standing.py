"""Where a story stands after it was written: proposed, ready, or a draft again. One function for all who write."""

from django.db.models import Model

from api.rooms.backlog.domain import states
from api.rooms.backlog.models import Story
from api.rooms.backlog.services import contents, refusing
from api.rooms.backlog.services.writing import Writer
from contracts.backlog import StoryContent
from contracts.events import StoryPromotionProposed, StoryTransitioned
from contracts.vocabulary import Promotion, StoryStatus


def settle(writer: Writer, story: Story, content: StoryContent, promotion: Promotion) -> None:
    """Under the backlog's lock; the row is saved."""
    lacks = contents.lacks_of(story, content)
    status = StoryStatus(story.status)
    if status is StoryStatus.READY and lacks:
        move(writer, story, StoryStatus.DRAFT, ", ".join(lacks))
    elif status is StoryStatus.DRAFT and not lacks and promotion is Promotion.AUTOMATIC:
        move(writer, story, StoryStatus.READY)
    elif status is StoryStatus.DRAFT:
        _propose(writer, story, is_complete=not lacks)


def _propose(writer: Writer, story: Story, *, is_complete: bool) -> None:
    if story.is_proposed == is_complete:
        return
    save(story, is_proposed=is_complete)
    if is_complete:
        told = StoryPromotionProposed(story_id=story.id, code=story.code, epic=story.epic.code, title=story.title)
        writer.tell(told)


def move(writer: Writer, story: Story, to: StoryStatus, reason: str = "") -> None:
    """Guarded by the table of moves (RN-009). Raises Refusal."""
    now = StoryStatus(story.status)
    if not states.may_story_move(now, to):
        allowed = ", ".join(sorted(states.STORY_MOVES[now])) or "nothing: it is over"
        raise refusing.invalid(f"{story.code} is {now} and cannot become {to}. It may become {allowed}.", status=now)
    save(story, status=to, is_proposed=False)
    told = StoryTransitioned(
        story_id=story.id, code=story.code, title=story.title, from_status=now, to_status=to, reason=reason
    )
    writer.tell(told)


def save(row: Model, **changes: object) -> None:
    """These columns and no others."""
    for name, value in changes.items():
        setattr(row, name, value)
    row.save(update_fields=list(changes))
