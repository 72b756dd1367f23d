"""C4 as a picture: boxes in rows, people above, other systems below; a module stands under what depends on it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from api.rooms.architecture.domain.c4 import entrances
from contracts.architecture import ActorType, Module, SystemActor
from contracts.artifacts import C4Diagram

BOX_WIDTH, BOX_HEIGHT = 190, 72
GAP, ROW_GAP, MARGIN = 24, 56, 12
MAX_IN_A_ROW = 4
MAX_CHARS = 24


@dataclass(frozen=True)
class Box:
    """`kind` is person, system, module or external; lengths in the picture's own units."""

    id: str
    kind: str
    title: str
    note: str
    x: int = 0
    y: int = 0
    width: int = BOX_WIDTH
    height: int = BOX_HEIGHT

    @property
    def middle(self) -> int:
        return self.x + self.width // 2

    @property
    def short_title(self) -> str:
        return _short(self.title)

    @property
    def short_note(self) -> str:
        return _short(self.note)


@dataclass(frozen=True)
class Arrow:
    x1: int
    y1: int
    x2: int
    y2: int


@dataclass(frozen=True)
class Picture:
    width: int
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


def context(c4: C4Diagram) -> Picture:
    """The system with who and what stands around it."""
    system = Box("system", "system", c4.system_name, c4.system_description)
    return _drawn(c4.actors, [[system]], ("system",), ())


def containers(c4: C4Diagram, modules: Sequence[Module]) -> Picture:
    """The modules of the map that the diagram was drawn from."""
    rows = [[Box(each.name, "module", each.name, each.stack) for each in row] for row in rows_of(modules)]
    needs = tuple((module.name, needed) for module in modules for needed in module.depends_on)
    return _drawn(c4.actors, rows, entrances(modules), needs)


def rows_of(modules: Sequence[Module]) -> list[list[Module]]:
    """By how long the longest way from an entrance is; a map has no circles, so every way ends."""
    depth = {module.name: 0 for module in modules}
    for _ in modules:
        for module in modules:
            for needed in module.depends_on:
                depth[needed] = max(depth[needed], depth[module.name] + 1)
    rows: list[list[Module]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for module in modules:
        rows[depth[module.name]].append(module)
    return rows


def _drawn(
    actors: Sequence[SystemActor], rows: list[list[Box]], doors: Sequence[str], needs: Sequence[tuple[str, str]]
) -> Picture:
    named = [(f"actor-{number}", actor) for number, actor in enumerate(actors)]
    people = [_actor(name, actor) for name, actor in named if actor.type is ActorType.PERSON]
    systems = [_actor(name, actor) for name, actor in named if actor.type is ActorType.EXTERNAL_SYSTEM]
    placed = _placed([people, *rows, systems])
    links = [(person.id, door) for person in people for door in doors]
    links += [*needs, *((door, system.id) for system in systems for door in doors)]
    arrows = tuple(_arrow(placed[start], placed[end]) for start, end in links)
    boxes = tuple(placed.values())
    width = max((box.x + box.width for box in boxes), default=0) + MARGIN
    height = max((box.y + box.height for box in boxes), default=0) + MARGIN
    return Picture(width, height, boxes, arrows)


def _actor(name: str, actor: SystemActor) -> Box:
    kind = "person" if actor.type is ActorType.PERSON else "external"
    return Box(name, kind, actor.name, actor.description)


def _placed(rows: list[list[Box]]) -> dict[str, Box]:
    """Rows that are too wide go on in the next one; each is centred."""
    lines = [row[at : at + MAX_IN_A_ROW] for row in rows for at in range(0, len(row), MAX_IN_A_ROW)]
    widest = max((len(line) for line in lines), default=0) * (BOX_WIDTH + GAP) - GAP
    placed = {}
    for number, line in enumerate(lines):
        left = MARGIN + (widest - (len(line) * (BOX_WIDTH + GAP) - GAP)) // 2
        for place, box in enumerate(line):
            x, y = left + place * (BOX_WIDTH + GAP), MARGIN + number * (BOX_HEIGHT + ROW_GAP)
            placed[box.id] = Box(box.id, box.kind, box.title, box.note, x, y)
    return placed


def _arrow(start: Box, end: Box) -> Arrow:
    """From edge to edge: downwards as a rule, sideways within a row."""
    if start.y == end.y:
        is_left = start.x < end.x
        level = start.y + start.height // 2
        return Arrow(
            start.x + start.width if is_left else start.x, level, end.x if is_left else end.x + end.width, level
        )
    is_down = start.y < end.y
    return Arrow(
        start.middle,
        start.y + start.height if is_down else start.y,
        end.middle,
        end.y if is_down else end.y + end.height,
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_CHARS else line[: MAX_CHARS - 1] + "…"
