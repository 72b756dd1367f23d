"""Write a version of a project's architecture: what is proposed is looked at first, and the event is its memory.

The caller holds the session and the project's backlog, so that two writers never make the same version.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Max

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.architecture.domain import c4, images, modules
from api.rooms.architecture.models import ArchitectureVersion, Kind
from api.rooms.architecture.selectors import Architecture, architecture
from api.rooms.kernel.clock import now
from api.rooms.kernel.refusals import Refusal
from contracts.architecture import Image, NewModule, SystemContext
from contracts.artifacts import C4Diagram, Insight, ModuleMap, NavigablePrototype, ProjectImage
from contracts.artifacts.prototype import NewPrototype
from contracts.events import Actor, LogEvent
from contracts.problem import ProblemCode

NO_MAP = "There is no module map yet: make it first, with create_module_map."


@dataclass(frozen=True)
class Architect:
    """Who writes, where it is told, and for which project."""

    session_id: UUID
    project_id: UUID
    actor: Actor


def invalid(detail: str, **facts: str) -> Refusal:
    return Refusal(ProblemCode.INVALID_ARCHITECTURE, detail, facts)


def make_map(architect: Architect, proposed: Sequence[NewModule], replaces: int | None) -> ModuleMap:
    """Another map of the same session must say which version it replaces (RN-065). Raises Refusal."""
    current = architecture(architect.project_id)
    _refuse_unmeant(architect, current, replaces)
    try:
        made = modules.mapped(proposed)
    except modules.Wrong as wrong:
        raise invalid(str(wrong)) from None
    artifact = ModuleMap(version=_next(architect.project_id, Kind.MODULE_MAP), modules=made)
    record(architect, Kind.MODULE_MAP, artifact, artifact.version)
    return artifact


def _refuse_unmeant(architect: Architect, current: Architecture, replaces: int | None) -> None:
    """Nobody makes a second map by mistake, or over one that they have not read."""
    facts = {"current": str(current.map_version), "modules": ", ".join(current.names)}
    if replaces is not None and replaces != current.map_version:
        detail = f"The current module map is version {current.map_version}, with: {', '.join(current.names) or 'none'}."
        raise Refusal(ProblemCode.STALE_VERSION, detail, facts)
    if replaces is None and current.session_id == architect.session_id:
        raise Refusal(
            ProblemCode.DUPLICATE_MODULE_MAP,
            f"This session has module map version {current.map_version} already, with: {', '.join(current.names)}. "
            f"To replace it, say `replaces`: {current.map_version}.",
            facts,
        )


def choose_image(architect: Architect, image: Image) -> ProjectImage:
    """Raises Refusal: a reference that does not name one image for good."""
    wrong = images.wrong_with(image.image)
    if wrong is not None:
        raise invalid(wrong, image=image.image)
    artifact = ProjectImage(
        version=_next(architect.project_id, Kind.PROJECT_IMAGE),
        image=image.image,
        rationale=image.rationale,
        network=image.network,
        resources=image.resources,
    )
    record(architect, Kind.PROJECT_IMAGE, artifact, artifact.version)
    return artifact


def draw_c4(architect: Architect, system: SystemContext) -> C4Diagram:
    """Of the map that holds now (RN-149). Raises Refusal where there is none."""
    current = architecture(architect.project_id)
    if not current.map_version:
        raise invalid(NO_MAP)
    artifact = C4Diagram(
        version=_next(architect.project_id, Kind.C4_DIAGRAM),
        map_version=current.map_version,
        system_name=system.system_name,
        system_description=system.system_description,
        actors=system.actors,
        context=c4.context(system),
        containers=c4.containers(system, current.modules),
    )
    record(architect, Kind.C4_DIAGRAM, artifact, artifact.version)
    return artifact


def keep_prototype(architect: Architect, proposed: NewPrototype) -> tuple[NavigablePrototype, LogEvent]:
    """Raises Refusal: an element that leads to a screen that is not there."""
    names = {screen.name for screen in proposed.screens}
    strange = sorted({each.goes_to for screen in proposed.screens for each in screen.elements if each.goes_to} - names)
    if strange:
        raise invalid(f"There is no screen {', '.join(strange)} to go to. There are: {', '.join(sorted(names))}.")
    artifact = NavigablePrototype(version=_next(architect.project_id, Kind.PROTOTYPE), **dict(proposed))
    return artifact, record(architect, Kind.PROTOTYPE, artifact, artifact.version)


def keep_insight(architect: Architect, insight: Insight) -> LogEvent:
    return record(architect, Kind.INSIGHT, insight, _next(architect.project_id, Kind.INSIGHT))


def confirm(project_id: UUID, version: int) -> bool:
    """Compare-and-set on the map that holds; false when it was confirmed before."""
    rows = ArchitectureVersion.objects.filter(project_id=project_id, kind=Kind.MODULE_MAP, version=version)
    return bool(rows.filter(confirmed_at=None).update(confirmed_at=now()))


def record(
    architect: Architect,
    kind: Kind,
    artifact: ModuleMap | ProjectImage | C4Diagram | Insight | NavigablePrototype,
    version: int,
) -> LogEvent:
    event = agent_sessions.append(architect.session_id, architect.actor, artifact)
    ArchitectureVersion.objects.create(
        project_id=architect.project_id,
        session_id=architect.session_id,
        kind=kind,
        version=version,
        event_id=event.id,
    )
    return event


def _next(project_id: UUID, kind: Kind) -> int:
    rows = ArchitectureVersion.objects.filter(project_id=project_id, kind=kind)
    return (rows.aggregate(last=Max("version"))["last"] or 0) + 1
