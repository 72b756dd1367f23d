"""Where stories are built: assigned by the Architect, and looked at again with each new module map."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import QuerySet

from api.rooms.architecture import selectors as architecture
from api.rooms.architecture.domain.modules import canonical
from api.rooms.architecture.services import NO_MAP, invalid
from api.rooms.backlog.models import Story, StoryModule
from api.rooms.backlog.services import contents, numbering, standing
from api.rooms.backlog.services.finding import story_of
from api.rooms.backlog.services.writing import Writer
from contracts.events import StoryDemoted, StoryModulesAssigned
from contracts.events.backlog import Named
from contracts.routes.architecture import ModulesAssigned
from contracts.vocabulary import Promotion, StoryStatus


def assign(writer: Writer, code: str, names: Sequence[str]) -> ModulesAssigned:
    """Exactly these. Raises Refusal that lists the valid names, or asks for a map first (RN-066)."""
    promotion = numbering.lock(writer.project_id)
    story = story_of(writer.project_id, code)
    wanted = _known(writer.project_id, names)
    if set(story.modules.values_list("name", flat=True)) != set(wanted):
        story.modules.exclude(name__in=wanted).delete()
        rows = [StoryModule(story=story, name=name) for name in wanted]
        StoryModule.objects.bulk_create(rows, ignore_conflicts=True)
        told = StoryModulesAssigned(story_id=story.id, code=story.code, title=story.title, modules=wanted)
        writer.tell(told)
        standing.settle(writer, story, contents.content_of(story), promotion)
    return ModulesAssigned(story=contents.state_of(story, contents.content_of(story)), modules=wanted)


def _known(project_id: UUID, names: Sequence[str]) -> tuple[str, ...]:
    known = architecture.module_names(project_id)
    if not known:
        raise invalid(NO_MAP)
    wanted = tuple(dict.fromkeys(canonical(name) or name for name in names))
    strange = [name for name in wanted if name not in known]
    if strange:
        there = ", ".join(sorted(known))
        raise invalid(f"There is no module {', '.join(strange)}. There are: {there}.", unknown=", ".join(strange))
    return wanted


def settle_placed(writer: Writer, promotion: Promotion) -> tuple[Named, ...]:
    """After a new map: ready stories whose modules are gone become drafts, by event (RN-012), and drafts are looked at
    again. Answers those that were demoted."""
    known = architecture.module_names(writer.project_id)
    placed = Story.objects.filter(project_id=writer.project_id, modules__isnull=False).distinct().order_by("number")
    for story in placed.filter(status=StoryStatus.DRAFT):
        standing.settle(writer, story, contents.content_of(story), promotion)
    displaced = placed.filter(status=StoryStatus.READY, id__in=_in_others_than(known, writer.project_id))
    return tuple(_demote(writer, story) for story in displaced)


def _in_others_than(known: frozenset[str], project_id: UUID) -> QuerySet[StoryModule, UUID]:
    rows = StoryModule.objects.filter(story__project_id=project_id).exclude(name__in=known)
    return rows.values_list("story_id", flat=True)


def _demote(writer: Writer, story: Story) -> Named:
    gone = contents.gone_modules(story)
    standing.save(story, status=StoryStatus.DRAFT)
    writer.tell(StoryDemoted(story_id=story.id, code=story.code, title=story.title, missing_modules=gone))
    return Named(code=story.code, title=story.title)
