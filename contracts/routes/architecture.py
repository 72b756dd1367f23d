"""What the Architect decides and reads; every answer about modules carries their canonical names (RN-066)."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.actions import Adr
from contracts.architecture import Image, Module, ModuleName, NewModule, SystemContext
from contracts.artifacts.architecture import Version
from contracts.backlog import Title
from contracts.base import Message
from contracts.codes import StoryCode
from contracts.events.backlog import Named
from contracts.limits import MAX_MODULES
from contracts.problem import ProblemCode
from contracts.routes.backlog import ReadBacklog, StoryState
from contracts.routes.effects import Effect
from contracts.routes.route import Route


class CreateModuleMap(Effect):
    """`replaces` is the version that it takes the place of, needed where this session made one already."""

    modules: Annotated[tuple[NewModule, ...], Field(min_length=1, max_length=MAX_MODULES)]
    replaces: Version | None = None


class ModuleMapMade(Message):
    """`demoted` were ready, and are built in modules that are gone (RN-012)."""

    version: Version
    modules: tuple[Module, ...]
    demoted: tuple[Named, ...] = ()


class AssignModules(Effect):
    story: StoryCode
    modules: Annotated[tuple[str, ...], Field(max_length=MAX_MODULES)]


class ModulesAssigned(Message):
    story: StoryState
    modules: tuple[ModuleName, ...]


class ChooseImage(Effect):
    image: Image


class ImageChosen(Message):
    version: Version
    image: str


class DrawC4(Effect):
    system: SystemContext


class C4Drawn(Message):
    """Both levels as Mermaid text."""

    version: Version
    map_version: Version
    context: str
    containers: str


class ProposeAdr(Effect):
    adr: Adr


class ActionWaits(Message):
    """A person decides; the turn goes on meanwhile."""

    action_id: UUID
    title: Title


class Pendency(Message):
    """A story whose place is open: no module is assigned, or the current map lacks some."""

    code: StoryCode
    title: Title
    reason: Literal["no_module", "missing_module"]
    missing: tuple[ModuleName, ...] = ()


class ArchitectureAnswer(Message):
    """`map_version` 0: there is no map yet. `pendencies_total` counts those that were left out too."""

    map_version: int
    modules: tuple[Module, ...]
    image: str
    has_c4: bool
    pendencies: tuple[Pendency, ...]
    pendencies_total: int


_COMMON = (ProblemCode.NOT_FOUND, ProblemCode.FENCED, ProblemCode.STOPPED)
_KEYED = (
    *_COMMON,
    ProblemCode.IDEMPOTENCY_CONFLICT,
    ProblemCode.INVALID_ARCHITECTURE,
    ProblemCode.INVALID_BACKLOG,
    ProblemCode.FORBIDDEN,
)
CREATE_MODULE_MAP = Route(
    "create_module_map",
    "POST",
    "/instances/{instance_id}/module-maps",
    CreateModuleMap,
    ModuleMapMade,
    (*_KEYED, ProblemCode.DUPLICATE_MODULE_MAP, ProblemCode.STALE_VERSION),
)
ASSIGN_MODULES = Route(
    "assign_story_modules",
    "POST",
    "/instances/{instance_id}/story-modules",
    AssignModules,
    ModulesAssigned,
    _KEYED,
)
CHOOSE_IMAGE = Route(
    "choose_project_image", "POST", "/instances/{instance_id}/project-images", ChooseImage, ImageChosen, _KEYED
)
DRAW_C4 = Route("create_c4_diagram", "POST", "/instances/{instance_id}/c4-diagrams", DrawC4, C4Drawn, _KEYED)
PROPOSE_ADR = Route("propose_adr", "POST", "/instances/{instance_id}/adrs", ProposeAdr, ActionWaits, _KEYED)
READ_ARCHITECTURE = Route(
    "read_architecture",
    "POST",
    "/instances/{instance_id}/architecture:read",
    ReadBacklog,
    ArchitectureAnswer,
    _COMMON,
)
ROUTES = (CREATE_MODULE_MAP, ASSIGN_MODULES, CHOOSE_IMAGE, DRAW_C4, PROPOSE_ADR, READ_ARCHITECTURE)
