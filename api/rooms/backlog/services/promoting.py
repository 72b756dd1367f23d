"""A person promotes stories, gives one back with a reason, or takes a ready one back (RN-048, D-50)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from api.rooms.agents import services as agents
from api.rooms.backlog.models import Backlog
from api.rooms.backlog.services import contents, numbering, refusing, standing
from api.rooms.backlog.services.by_people import locked
from api.rooms.backlog.services.writing import note
from api.rooms.kernel.clock import now
from api.rooms.kernel.refusals import Refusal
from contracts.events import StoryPromotionReturned
from contracts.vocabulary import Promotion, StoryStatus

RETURNED_TO = "product_owner"


@dataclass(frozen=True)
class Refused:
    """A story that stays what it is, and why."""

    code: str
    reason: str


@dataclass(frozen=True)
class Promoted:
    promoted: tuple[str, ...]
    failed: tuple[Refused, ...]


def promote(project_id: UUID, user_id: UUID, codes: Sequence[str]) -> Promoted:
    """Each story in a transaction of its own: what fails keeps nobody else from becoming ready."""
    promoted, failed = [], []
    for code in dict.fromkeys(codes):
        try:
            _promote(project_id, user_id, code)
            promoted.append(code)
        except Refusal as refusal:
            failed.append(Refused(code, refusal.detail))
    return Promoted(tuple(promoted), tuple(failed))


@transaction.atomic
def _promote(project_id: UUID, user_id: UUID, code: str) -> None:
    writer, story = locked(project_id, user_id, code)
    lacks = contents.lacks_of(story, contents.content_of(story))
    if lacks:
        raise refusing.invalid(f"{code} is not complete: it lacks {', '.join(lacks)}.", missing=",".join(lacks))
    standing.move(writer, story, StoryStatus.READY)


@transaction.atomic
def return_story(project_id: UUID, user_id: UUID, code: str, reason: str) -> None:
    """The reason is read by the Product Owner of the session in which the story was born, which is woken by it."""
    reason = refusing.reason(reason)
    writer, story = locked(project_id, user_id, code)
    if story.status != StoryStatus.DRAFT or not story.is_proposed:
        raise refusing.invalid(f"{code} does not wait to be promoted: there is nothing to give back.", story=code)
    standing.save(story, is_proposed=False, returned_reason=reason, returned_at=now(), locked_fields=[])
    told = StoryPromotionReturned(story_id=story.id, code=story.code, title=story.title, reason=reason)
    note(agents.deliver(writer.session_id, writer.actor, told, RETURNED_TO, lifts_hold=True))


@transaction.atomic
def demote(project_id: UUID, user_id: UUID, code: str, reason: str) -> None:
    """A ready story is a draft again; nothing of it is lost."""
    reason = refusing.reason(reason)
    writer, story = locked(project_id, user_id, code)
    standing.move(writer, story, StoryStatus.DRAFT, reason)


@transaction.atomic
def set_promotion(project_id: UUID, promotion: Promotion) -> None:
    """From now on; stories that wait already go on waiting for a person."""
    numbering.lock(project_id)
    Backlog.objects.filter(project_id=project_id).update(promotion=promotion)
