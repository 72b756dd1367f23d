"""The model that an agent of a session uses now, with where that was decided and what it costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from api.rooms.budgets.domain.places import Place
from api.rooms.gateway.domain.bindings import Candidate, Level, Subject, choose, subjects
from api.rooms.gateway.domain.prices import Price
from api.rooms.gateway.models import Model
from api.rooms.gateway.services.credentials import Sealed
from api.rooms.gateway.services.prices import price_of
from api.rooms.kernel import statements

BOUND_SQL = """
SELECT binding.level, binding.subject_id, binding.name, credential.id, credential.sealed, {columns}
FROM gateway_binding AS binding JOIN gateway_model AS model ON model.id = binding.model_id
LEFT JOIN gateway_credential AS credential ON credential.workspace_id = model.workspace_id
    AND credential.provider = model.provider AND credential.base_url = model.base_url
WHERE binding.workspace_id = %s
  AND (binding.level, binding.subject_id, binding.name) IN ({subjects})
"""


@dataclass(frozen=True)
class Resolved:
    """`passed_over` are narrower bindings whose model is unavailable or cannot call tools; `price` null is unpriced."""

    origin: Level
    model_id: UUID
    provider: str
    base_url: str
    model: str
    context_tokens: int
    price: Price | None
    fallback_id: UUID | None
    sealed: Sealed | None
    passed_over: tuple[Subject, ...]


@dataclass(frozen=True)
class Bound:
    """What is bound to one subject, with the key that is stored for its address."""

    subject: Subject
    model: Model
    sealed: Sealed | None


@cache
def _statement(subjects: int) -> str:
    """For so many subjects, one by one: the driver needs longer for arrays than for all that is in them."""
    columns = ", ".join(statements.columns(Model, "model"))
    return BOUND_SQL.format(columns=columns, subjects=", ".join(["(%s, %s, %s)"] * subjects))


class Bindings:
    """A question for what is bound, sent alone or together with others."""

    def __init__(self, workspace_id: UUID, order: tuple[Subject, ...]) -> None:
        self.order = order
        wanted = [part for subject in order for part in (subject.level.value, subject.id, subject.name)]
        self._answer = statements.send(_statement(len(order)), [workspace_id, *wanted])

    def found(self) -> list[Bound]:
        """In no order."""
        return [
            Bound(
                Subject(Level(level), subject_id, name),
                Model.from_db("default", _names(), row),
                Sealed(credential_id, sealed) if credential_id else None,
            )
            for level, subject_id, name, credential_id, sealed, *row in self._answer.rows()
        ]

    def resolved(self, *, needs_tools: bool) -> Resolved | None:
        """session > agent > area > project > workspace; None when nothing is bound."""
        found = self.found()
        candidates = [candidate_of(bound.subject, bound.model) for bound in found]
        chosen = choose(self.order, candidates, needs_tools=needs_tools)
        if chosen is None:
            return None
        bound = next(bound for bound in found if bound.subject == chosen.candidate.subject)
        return _resolved(bound, chosen.passed_over)


def _resolved(bound: Bound, passed_over: tuple[Subject, ...]) -> Resolved:
    model = bound.model
    return Resolved(
        origin=bound.subject.level,
        model_id=model.id,
        provider=model.provider,
        base_url=model.base_url,
        model=model.name,
        context_tokens=model.context_tokens,
        price=price_of(model),
        fallback_id=model.fallback_id,
        sealed=bound.sealed,
        passed_over=passed_over,
    )


@cache
def _names() -> list[str]:
    return [field.attname for field in Model._meta.local_concrete_fields]  # noqa: SLF001 - Django's interface


def bindings(place: Place, agent: str) -> Bindings:
    """What counts for an agent of a session."""
    if place.project_id is None or place.session_id is None:
        raise ValueError("a model is resolved for a session")
    return Bindings(place.workspace_id, subjects(place.workspace_id, place.project_id, place.session_id, agent))


def resolve(place: Place, agent: str, *, needs_tools: bool) -> Resolved | None:
    """The model of this agent, by the rule of `Bindings.resolved`."""
    return bindings(place, agent).resolved(needs_tools=needs_tools)


def bound_to(workspace_id: UUID, order: Sequence[Subject]) -> list[Bound]:
    """What is bound to any of these, with its model."""
    return Bindings(workspace_id, tuple(order)).found()


def candidate_of(subject: Subject, model: Model) -> Candidate:
    """What the rule of bindings needs to know of a model."""
    return Candidate(subject, model.id, model.has_tools, model.is_retired or not model.is_active)
