"""The model that an agent of a session uses now, with where that was decided and what it costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from api.rooms.budgets.domain.places import Place
from api.rooms.gateway.domain.bindings import Candidate, Level, Subject, choose, subjects
from api.rooms.gateway.domain.prices import Price
from api.rooms.gateway.models import Model
from api.rooms.gateway.services.prices import price_of
from api.rooms.kernel import statements

BOUND_SQL = """
SELECT binding.level, binding.subject_id, binding.name, {columns}
FROM gateway_binding AS binding JOIN gateway_model AS model ON model.id = binding.model_id
WHERE binding.workspace_id = %s
  AND (binding.level, binding.subject_id, binding.name) IN (SELECT * FROM unnest(%s::text[], %s::uuid[], %s::text[]))
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
    passed_over: tuple[Subject, ...]


def resolve(place: Place, agent: str, *, needs_tools: bool) -> Resolved | None:
    """session > agent > area > project > workspace; None when nothing is bound."""
    if place.project_id is None or place.session_id is None:
        raise ValueError("a model is resolved for a session")
    order = subjects(place.workspace_id, place.project_id, place.session_id, agent)
    bound = bound_to(place.workspace_id, order)
    chosen = choose(order, [candidate_of(subject, model) for subject, model in bound], needs_tools=needs_tools)
    if chosen is None:
        return None
    model = next(model for _, model in bound if model.id == chosen.candidate.model_id)
    return Resolved(
        origin=chosen.candidate.subject.level,
        model_id=model.id,
        provider=model.provider,
        base_url=model.base_url,
        model=model.name,
        context_tokens=model.context_tokens,
        price=price_of(model),
        fallback_id=model.fallback_id,
        passed_over=chosen.passed_over,
    )


def bound_to(workspace_id: UUID, order: Sequence[Subject]) -> list[tuple[Subject, Model]]:
    """What is bound to any of these, with its model."""
    fields = Model._meta.local_concrete_fields  # noqa: SLF001 - Django's documented interface
    statement = BOUND_SQL.format(columns=", ".join(statements.columns(Model, "model")))
    wanted = zip(*((subject.level.value, subject.id, subject.name) for subject in order), strict=True)
    found = statements.rows(statement, [workspace_id, *map(list, wanted)])
    names = [field.attname for field in fields]
    return [(Subject(Level(row[0]), row[1], row[2]), Model.from_db("default", names, row[3:])) for row in found]


def candidate_of(subject: Subject, model: Model) -> Candidate:
    """What the rule of bindings needs to know of a model."""
    return Candidate(subject, model.id, model.has_tools, model.is_retired or not model.is_active)
