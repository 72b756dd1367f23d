"""Bindings and the cascade in the words of the public API."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway.chains import Chain
from api.rooms.gateway.domain.bindings import Level, PassedOver
from api.rooms.gateway.services.catalogue import ModelSpec
from contracts.agents import Area
from contracts.base import Message, Micros, Slug


class PriceBody(Message):
    """Micros per million tokens. Zero throughout is accepted only for a private address."""

    input_micros: Micros
    output_micros: Micros


class NewBinding(Message):
    """For the whole scope; with `agent` or `area` for one agent of a project, or for all of an area."""

    agent: Slug | None = None
    area: Area | None = None
    provider: Slug
    base_url: Annotated[str, Field(max_length=500)] = ""
    model: Annotated[str, Field(min_length=1, max_length=200)]
    context_tokens: Annotated[int, Field(ge=1024, le=10_000_000)] | None = None
    price: PriceBody | None = None


class BindingBody(Message):
    id: UUID


def spec_of(asked: NewBinding) -> ModelSpec:
    return ModelSpec(asked.provider, asked.model, asked.base_url, asked.context_tokens)


def rates_of(price: PriceBody) -> Rates:
    figure = price.input_micros
    return Rates(input=figure, cache_read=figure, cache_write=figure, output=price.output_micros)


class BindingLevel(Message):
    """One level of the cascade: the model that is bound there, and why it is passed over where it is.

    `agent` is the agent's or the area's name at their levels.
    """

    level: Level
    agent: str
    model_id: UUID | None
    model: str
    passed_over: PassedOver | None


class BindingChain(Message):
    """`origin` is the level that decides, null when nothing is bound; the levels come narrowest first."""

    origin: Level | None
    is_inherited: bool
    levels: tuple[BindingLevel, ...]


def chain_body(chain: Chain) -> BindingChain:
    levels = tuple(
        BindingLevel(
            level=link.subject.level,
            agent=link.subject.name,
            model_id=link.model.id if link.model else None,
            model=link.model.name if link.model else "",
            passed_over=link.passed_over,
        )
        for link in chain.links
    )
    origin = chain.chosen.subject.level if chain.chosen else None
    return BindingChain(origin=origin, is_inherited=chain.is_inherited, levels=levels)
