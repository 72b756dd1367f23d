"""Reading the cascade for people: who uses what, where that was decided, and what was passed over."""

from dataclasses import dataclass
from uuid import UUID

from api.rooms.gateway.catalogue import ModelCard, card_of_model
from api.rooms.gateway.domain.bindings import PassedOver, Subject, passed_over, subjects
from api.rooms.gateway.models import Model
from api.rooms.gateway.services.resolving import bound_to, candidate_of


@dataclass(frozen=True)
class Link:
    """One level of the cascade: what is bound there, and why it does not count where it does not."""

    subject: Subject
    model: ModelCard | None
    passed_over: PassedOver | None


@dataclass(frozen=True)
class Chain:
    """All levels, narrowest first; `chosen` is the one that counts, null when nothing does."""

    links: tuple[Link, ...]
    chosen: Link | None

    @property
    def is_inherited(self) -> bool:
        """Nothing is bound at the narrowest level."""
        return self.links[0].model is None


def chain_of(
    workspace_id: UUID,
    project_id: UUID | None = None,
    session_id: UUID | None = None,
    agent: str | None = None,
    *,
    area: str | None = None,
    needs_tools: bool = False,
) -> Chain:
    """The cascade as it stands for this place: "inherited from", and what was passed over, with the reason."""
    order = subjects(workspace_id, project_id, session_id, agent, area)
    bound = {each.subject: each.model for each in bound_to(workspace_id, order)}
    links = tuple(_link(subject, bound.get(subject), needs_tools=needs_tools) for subject in order)
    chosen = next((link for link in links if link.model is not None and link.passed_over is None), None)
    return Chain(links, chosen)


def _link(subject: Subject, row: Model | None, *, needs_tools: bool) -> Link:
    if row is None:
        return Link(subject, None, None)
    return Link(subject, card_of_model(row), passed_over(candidate_of(subject, row), needs_tools=needs_tools))
