"""The model that an agent of a session uses now, with where that was decided and what it costs."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from api.rooms.budgets.domain.places import Place
from api.rooms.gateway.domain.bindings import Candidate, Level, Subject, choose, subjects
from api.rooms.gateway.domain.prices import Price
from api.rooms.gateway.models import Binding
from api.rooms.gateway.services.catalogue import price_of


@dataclass(frozen=True)
class Resolved:
    """`passed_over` are narrower bindings whose model is retired or cannot call tools; `price` null is unpriced."""

    origin: Level
    model_id: UUID
    provider: str
    base_url: str
    model: str
    context_tokens: int
    price: Price | None
    passed_over: tuple[Subject, ...]


def resolve(place: Place, agent: str, *, needs_tools: bool) -> Resolved | None:
    """session > agent > area > project > workspace; None when nothing is bound."""
    if place.project_id is None or place.session_id is None:
        raise ValueError("a model is resolved for a session")
    order = subjects(place.workspace_id, place.project_id, place.session_id, agent)
    wanted = Q()
    for subject in order:
        wanted |= Q(level=subject.level, subject_id=subject.id, name=subject.name)
    rows = list(Binding.objects.filter(wanted, workspace_id=place.workspace_id).select_related("model"))
    chosen = choose(order, [_candidate(row) for row in rows], needs_tools=needs_tools)
    if chosen is None:
        return None
    model = next(row.model for row in rows if row.model_id == chosen.candidate.model_id)
    return Resolved(
        origin=chosen.candidate.subject.level,
        model_id=model.id,
        provider=model.provider,
        base_url=model.base_url,
        model=model.name,
        context_tokens=model.context_tokens,
        price=price_of(model),
        passed_over=chosen.passed_over,
    )


def _candidate(row: Binding) -> Candidate:
    subject = Subject(Level(row.level), row.subject_id, row.name)
    return Candidate(subject, row.model_id, row.model.has_tools, row.model.is_retired)
