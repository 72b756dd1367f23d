"""Stories whose place in the architecture is open, computed: no module is assigned, or the current map lacks some."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from api.rooms.architecture.selectors import architecture
from api.rooms.backlog import lists, selectors
from api.rooms.backlog.cards import StoryCard
from contracts.limits import MAX_RULES_LISTED
from contracts.routes import architecture as routes
from contracts.routes.backlog import ReadBacklog
from contracts.vocabulary import StoryStatus


class Why(StrEnum):
    NO_MODULE = "no_module"
    MISSING_MODULE = "missing_module"


@dataclass(frozen=True)
class Pendency:
    story: StoryCard
    reason: Why

    def told(self) -> routes.Pendency:
        """As it is said to agents and programs."""
        story = self.story
        return routes.Pendency(
            code=story.code, title=story.content.title, reason=self.reason.value, missing=story.gone_modules
        )


def pendencies(project_id: UUID) -> tuple[Pendency, ...]:
    """In the backlog's order; what is done is built, wherever that was."""
    stories = (story for epic in selectors.tree(project_id) for story in epic.stories)
    open_ones = (story for story in stories if story.status is not StoryStatus.DONE)
    return tuple(Pendency(story, _why(story)) for story in open_ones if not story.modules or story.gone_modules)


def _why(story: StoryCard) -> Why:
    return Why.MISSING_MODULE if story.gone_modules else Why.NO_MODULE


def for_agent(instance_id: UUID, asked: ReadBacklog) -> routes.ArchitectureAnswer:
    """The architecture as it stands, with names as they are written, and what is open (RN-066)."""
    project_id = lists.project_of(instance_id, asked)
    current, found = architecture(project_id), pendencies(project_id)
    return routes.ArchitectureAnswer(
        map_version=current.map_version,
        modules=current.modules,
        image=current.image.image if current.image else "",
        has_c4=current.c4 is not None,
        pendencies=tuple(each.told() for each in found[:MAX_RULES_LISTED]),
        pendencies_total=len(found),
    )
