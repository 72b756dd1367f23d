"""Which model an agent uses: the narrowest binding wins, and what cannot do the work is passed over."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from contracts.agents import card_of, entry_of


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
    is_unavailable: bool


class PassedOver(StrEnum):
    """Why a binding does not count."""

    UNAVAILABLE = "unavailable"
    WITHOUT_TOOLS = "without_tools"


def passed_over(candidate: Candidate, *, needs_tools: bool) -> PassedOver | None:
    """Null when its model can do the work."""
    if candidate.is_unavailable:
        return PassedOver.UNAVAILABLE
    return PassedOver.WITHOUT_TOOLS if needs_tools and not candidate.has_tools else None


@dataclass(frozen=True)
class Chosen:
    """`passed_over` are narrower bindings whose model is unavailable or cannot call tools."""

    candidate: Candidate
    passed_over: tuple[Subject, ...] = ()


def subjects(
    workspace_id: UUID,
    project_id: UUID | None = None,
    session_id: UUID | None = None,
    agent: str | None = None,
    area: str | None = None,
) -> tuple[Subject, ...]:
    """Where to look, narrowest first, from the narrowest that is given. An agent brings its area along."""
    found = [Subject(Level.SESSION, session_id)] if session_id else []
    if project_id is not None:
        card = card_of(agent) if agent else None
        area = card.area if card else area
        found += [Subject(Level.AGENT, project_id, entry_of(agent))] if agent else []
        found += [Subject(Level.AREA, project_id, area)] if area is not None else []
        found.append(Subject(Level.PROJECT, project_id))
    return (*found, Subject(Level.WORKSPACE, workspace_id))


def choose(order: tuple[Subject, ...], candidates: Iterable[Candidate], *, needs_tools: bool) -> Chosen | None:
    """The narrowest binding whose model can do the work; None when there is none (policy, `no_binding`)."""
    by_subject = {candidate.subject: candidate for candidate in candidates}
    passed: list[Subject] = []
    for subject in order:
        candidate = by_subject.get(subject)
        if candidate is None:
            continue
        if passed_over(candidate, needs_tools=needs_tools):
            passed.append(subject)
            continue
        return Chosen(candidate, tuple(passed))
    return None
