"""Which model an agent uses: the narrowest binding wins, and what cannot do the work is passed over."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from contracts.agents import card_of


class Level(StrEnum):
    """Narrowest first."""

    SESSION = "session"
    AGENT = "agent"
    AREA = "area"
    PROJECT = "project"
    WORKSPACE = "workspace"


@dataclass(frozen=True)
class Subject:
    """What a binding is set on. `name` is the agent's slug or the area, within a project."""

    level: Level
    id: UUID
    name: str = ""


@dataclass(frozen=True)
class Candidate:
    """A binding that applies, as it was found."""

    subject: Subject
    model_id: UUID
    has_tools: bool
    is_retired: bool


@dataclass(frozen=True)
class Chosen:
    """`passed_over` are narrower bindings whose model is retired or cannot call tools."""

    candidate: Candidate
    passed_over: tuple[Subject, ...] = ()


def subjects(workspace_id: UUID, project_id: UUID, session_id: UUID, agent: str) -> tuple[Subject, ...]:
    """Where to look, narrowest first."""
    card = card_of(agent)
    area = card.area if card else None
    found = [Subject(Level.SESSION, session_id), Subject(Level.AGENT, project_id, agent)]
    if area is not None:
        found.append(Subject(Level.AREA, project_id, area))
    return (*found, Subject(Level.PROJECT, project_id), Subject(Level.WORKSPACE, workspace_id))


def choose(order: tuple[Subject, ...], candidates: Iterable[Candidate], *, needs_tools: bool) -> Chosen | None:
    """The narrowest binding whose model can do the work; None when there is none (policy, `no_binding`)."""
    by_subject = {candidate.subject: candidate for candidate in candidates}
    passed: list[Subject] = []
    for subject in order:
        candidate = by_subject.get(subject)
        if candidate is None:
            continue
        if candidate.is_retired or (needs_tools and not candidate.has_tools):
            passed.append(subject)
            continue
        return Chosen(candidate, tuple(passed))
    return None
