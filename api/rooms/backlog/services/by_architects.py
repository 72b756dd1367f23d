"""What the Architect does, under the backlog's lock: a map moves stories, and each version is made once."""

from uuid import UUID

from api.rooms.architecture import services as architecture
from api.rooms.architecture.services import Architect
from api.rooms.backlog.services import numbering, placing
from api.rooms.backlog.services.by_agents import write_once
from api.rooms.backlog.services.writing import Writer
from contracts.artifacts import NavigablePrototype
from contracts.artifacts.prototype import NewPrototype
from contracts.events import Insight, LogEvent
from contracts.routes.architecture import (
    AssignModules,
    C4Drawn,
    ChooseImage,
    CreateModuleMap,
    DrawC4,
    ImageChosen,
    ModuleMapMade,
    ModulesAssigned,
)


def keep_insight(architect: Architect, insight: Insight) -> LogEvent:
    """In the caller's transaction, with the session locked."""
    numbering.lock(architect.project_id)
    return architecture.keep_insight(architect, insight)


def keep_prototype(architect: Architect, proposed: NewPrototype) -> tuple[NavigablePrototype, LogEvent]:
    """The same."""
    numbering.lock(architect.project_id)
    return architecture.keep_prototype(architect, proposed)


def _architect(writer: Writer) -> Architect:
    numbering.lock(writer.project_id)
    return Architect(writer.session_id, writer.project_id, writer.actor)


def module_map(instance_id: UUID, asked: CreateModuleMap, body_hash: str) -> ModuleMapMade:
    def act(writer: Writer) -> ModuleMapMade:
        promotion = numbering.lock(writer.project_id)
        made = architecture.make_map(_architect(writer), asked.modules, asked.replaces)
        demoted = placing.settle_placed(writer, promotion)
        return ModuleMapMade(version=made.version, modules=made.modules, demoted=demoted)

    return write_once(instance_id, asked, body_hash, "module_map", ModuleMapMade, act)


def story_modules(instance_id: UUID, asked: AssignModules, body_hash: str) -> ModulesAssigned:
    def act(writer: Writer) -> ModulesAssigned:
        return placing.assign(writer, asked.story, asked.modules)

    return write_once(instance_id, asked, body_hash, "story_modules", ModulesAssigned, act)


def image(instance_id: UUID, asked: ChooseImage, body_hash: str) -> ImageChosen:
    def act(writer: Writer) -> ImageChosen:
        chosen = architecture.choose_image(_architect(writer), asked.image)
        return ImageChosen(version=chosen.version, image=chosen.image)

    return write_once(instance_id, asked, body_hash, "project_image", ImageChosen, act)


def c4(instance_id: UUID, asked: DrawC4, body_hash: str) -> C4Drawn:
    def act(writer: Writer) -> C4Drawn:
        drawn = architecture.draw_c4(_architect(writer), asked.system)
        return C4Drawn(
            version=drawn.version, map_version=drawn.map_version, context=drawn.context, containers=drawn.containers
        )

    return write_once(instance_id, asked, body_hash, "c4_diagram", C4Drawn, act)
