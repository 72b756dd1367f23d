"""A project's architecture as it stands: the highest version of each thing."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.rooms.agent_sessions import selectors as log
from api.rooms.architecture.models import ArchitectureVersion, Kind
from contracts.architecture import Module
from contracts.artifacts import C4Diagram, Insight, ModuleMap, NavigablePrototype, ProjectImage
from contracts.artifacts.prototype import Screen
from contracts.events import LogEvent


@dataclass(frozen=True)
class InsightCard:
    title: str
    description: str
    session_id: UUID
    seq: int


@dataclass(frozen=True)
class Architecture:
    """`map_version` 0: no module map was made yet. `session_id` is the one that the current map was made in."""

    modules: tuple[Module, ...] = ()
    map_version: int = 0
    session_id: UUID | None = None
    confirmed_at: datetime | None = None
    image: ProjectImage | None = None
    c4: C4Diagram | None = None
    insights: tuple[InsightCard, ...] = ()
    prototype: NavigablePrototype | None = None

    @property
    def screens(self) -> tuple[Screen, ...]:
        return self.prototype.screens if self.prototype else ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(module.name for module in self.modules)


def architecture(project_id: UUID) -> Architecture:
    """In two queries."""
    rows = list(ArchitectureVersion.objects.filter(project_id=project_id).order_by("version"))
    highest = {row.kind: row for row in rows if row.kind != Kind.INSIGHT}
    wanted = [row.event_id for row in rows if row.kind == Kind.INSIGHT or highest[row.kind] is row]
    events = log.events_by_id(wanted)
    found = {event.id: event.payload for event in events}
    held = {kind: found.get(row.event_id) for kind, row in highest.items()}
    module_map, image, c4 = held.get(Kind.MODULE_MAP), held.get(Kind.PROJECT_IMAGE), held.get(Kind.C4_DIAGRAM)
    row, prototype = highest.get(Kind.MODULE_MAP), held.get(Kind.PROTOTYPE)
    return Architecture(
        modules=module_map.modules if isinstance(module_map, ModuleMap) else (),
        map_version=row.version if row else 0,
        session_id=row.session_id if row else None,
        confirmed_at=row.confirmed_at if row else None,
        image=image if isinstance(image, ProjectImage) else None,
        c4=c4 if isinstance(c4, C4Diagram) else None,
        prototype=prototype if isinstance(prototype, NavigablePrototype) else None,
        insights=tuple(_insight(event, event.payload) for event in events if isinstance(event.payload, Insight)),
    )


def _insight(event: LogEvent, insight: Insight) -> InsightCard:
    return InsightCard(insight.title, insight.description, event.session_id, event.seq)


def module_names(project_id: UUID) -> frozenset[str]:
    """Of the map that holds; empty when there is none."""
    rows = ArchitectureVersion.objects.filter(project_id=project_id, kind=Kind.MODULE_MAP).order_by("-version")
    event_id = rows.values_list("event_id", flat=True).first()
    payloads = [event.payload for event in log.events_by_id([event_id])] if event_id else []
    return frozenset(module.name for each in payloads if isinstance(each, ModuleMap) for module in each.modules)
