"""The models that a workspace knows: listed, read anew from their providers, switched, priced."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from asgiref.sync import async_to_sync
from django.db import transaction
from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from pydantic import Field

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway import catalogue
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.listing import KeyVerdict
from api.rooms.gateway.services.syncing import Synced
from api.rooms.kernel.db import give_back_connection
from api.rooms.kernel.refusals import Refusal, not_found
from api.surfaces import access
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.views import Request, View
from contracts.base import Message, Micros, Slug
from contracts.failures import ORIGINS, ErrorCode, FailureOrigin
from contracts.problem import ProblemCode
from contracts.vocabulary import Role


class RatesBody(Message):
    """Micros of a dollar for a million tokens."""

    input_micros: Micros
    cache_read_micros: Micros
    cache_write_micros: Micros
    output_micros: Micros


class CatalogueModel(Message):
    """`price_source` is manual, sync, table or empty; a facet that is null was never told."""

    id: UUID
    provider: str
    base_url: str
    name: str
    display_name: str
    context_tokens: int
    max_output_tokens: int | None
    has_tools: bool
    has_vision: bool | None
    has_reasoning: bool | None
    is_active: bool
    is_retired: bool
    price: RatesBody | None
    price_source: str
    fallback_id: UUID | None
    last_seen_at: datetime | None


class Catalogue(Message):
    models: tuple[CatalogueModel, ...]


class ReadSource(Message):
    """An address that was read; with a code nothing of its models was changed."""

    provider: str
    base_url: str
    listed: int
    code: ErrorCode | None
    origin: FailureOrigin | None
    diagnosis: str


class SyncAnswer(Message):
    sources: tuple[ReadSource, ...]


class ModelChange(Message):
    """Only what is given is changed. `price` null: what the provider or the price table says counts again."""

    is_active: bool | None = None
    fallback_id: UUID | None = None
    price: RatesBody | None = None


class PriceChangeBody(Message):
    """Null: the price table was asked."""

    at: datetime
    source: str
    changed_by: UUID | None
    before: RatesBody | None
    after: RatesBody | None


class PriceHistory(Message):
    changes: tuple[PriceChangeBody, ...]


class KeyToTest(Message):
    """Without `secret` the stored key is tested. A secret is never part of an answer."""

    provider: Slug
    base_url: Annotated[str, Field(max_length=500)] = ""
    secret: Annotated[str, Field(max_length=4_000)] | None = None


class KeyTestAnswer(Message):
    """`code` and `origin` say why a key was refused."""

    verdict: KeyVerdict
    code: ErrorCode | None
    origin: FailureOrigin | None
    diagnosis: str


class Models(View):
    @extend_schema(operation_id="list_models", responses=Catalogue)
    def get(self, request: Request, workspace_id: UUID) -> HttpResponse:
        del request
        access.workspace(self.user_id, workspace_id, Role.VIEWER)
        return write(Catalogue(models=tuple(_body(card) for card in catalogue.models_of(workspace_id))))


class SyncModels(View):
    @extend_schema(operation_id="sync_models", request=None, responses=SyncAnswer)
    def post(self, request: Request, workspace_id: UUID) -> HttpResponse:
        """Reads every address of the workspace; one that fails takes nothing from the others."""
        del request
        access.workspace(self.user_id, workspace_id, Role.MAINTAINER)
        give_back_connection()
        done = async_to_sync(gateway.sync_workspace)(workspace_id)
        return write(SyncAnswer(sources=tuple(_source(each) for each in done)))


class OneModel(View):
    @extend_schema(operation_id="change_model", request=ModelChange, responses=Catalogue)
    def patch(self, request: Request, workspace_id: UUID, model_id: UUID) -> HttpResponse:
        asked = read(request, ModelChange)
        if not asked.model_fields_set:
            raise Refusal(ProblemCode.INVALID_BODY, "Say what to change: `is_active`, `fallback_id` or `price`.")
        access.workspace(self.user_id, workspace_id, Role.MAINTAINER)
        with transaction.atomic():
            self._change(workspace_id, model_id, asked)
        card = catalogue.model_of(workspace_id, model_id)
        return write(Catalogue(models=(_body(card),) if card else ()))

    def _change(self, workspace_id: UUID, model_id: UUID, asked: ModelChange) -> None:
        given = asked.model_fields_set
        if asked.is_active is not None:
            gateway.set_active(workspace_id, model_id, is_active=asked.is_active)
        if "fallback_id" in given:
            gateway.set_fallback(workspace_id, model_id, asked.fallback_id)
        if asked.price is not None:
            gateway.set_price(workspace_id, model_id, _rates(asked.price), self.user_id)
        elif "price" in given:
            gateway.forget_price(workspace_id, model_id, self.user_id)


class Prices(View):
    @extend_schema(operation_id="list_price_changes", responses=PriceHistory)
    def get(self, request: Request, workspace_id: UUID, model_id: UUID) -> HttpResponse:
        del request
        access.workspace(self.user_id, workspace_id, Role.VIEWER)
        if catalogue.model_of(workspace_id, model_id) is None:
            raise not_found("model")
        found = catalogue.price_changes(workspace_id, model_id)
        return write(PriceHistory(changes=tuple(_change(each) for each in found)))


class TestKey(View):
    @extend_schema(operation_id="test_key", request=KeyToTest, responses=KeyTestAnswer)
    def post(self, request: Request, workspace_id: UUID) -> HttpResponse:
        """Accepted, refused with the reason, or unsupported; asked by a request that costs nothing."""
        asked = read(request, KeyToTest)
        access.workspace(self.user_id, workspace_id, Role.OWNER)
        give_back_connection()
        answer = async_to_sync(gateway.check_key)(workspace_id, asked.provider, asked.base_url, asked.secret)
        origin = ORIGINS[answer.code] if answer.code else None
        return write(KeyTestAnswer(verdict=answer.verdict, code=answer.code, origin=origin, diagnosis=answer.diagnosis))


def _body(card: catalogue.ModelCard) -> CatalogueModel:
    """Field by field the same, but for the name of the price."""
    same = {name: getattr(card, name) for name in CatalogueModel.model_fields if name != "price"}
    return CatalogueModel(price=_price(card.rates), **same)


def _change(made: catalogue.Change) -> PriceChangeBody:
    return PriceChangeBody(
        at=made.at,
        source=made.source,
        changed_by=made.changed_by,
        before=_price(made.before),
        after=_price(made.after),
    )


def _price(rates: Rates | None) -> RatesBody | None:
    if rates is None:
        return None
    return RatesBody(
        input_micros=rates.input,
        cache_read_micros=rates.cache_read,
        cache_write_micros=rates.cache_write,
        output_micros=rates.output,
    )


def _rates(price: RatesBody) -> Rates:
    return Rates(price.input_micros, price.cache_read_micros, price.cache_write_micros, price.output_micros)


def _source(done: Synced) -> ReadSource:
    return ReadSource(
        provider=done.source.provider,
        base_url=done.source.base_url,
        listed=done.listed,
        code=done.code,
        origin=ORIGINS[done.code] if done.code else None,
        diagnosis=done.diagnosis,
    )


urlpatterns = [
    path("workspaces/<uuid:workspace_id>/models", Models.as_view()),
    path("workspaces/<uuid:workspace_id>/models/sync", SyncModels.as_view()),
    path("workspaces/<uuid:workspace_id>/models/<uuid:model_id>", OneModel.as_view()),
    path("workspaces/<uuid:workspace_id>/models/<uuid:model_id>/prices", Prices.as_view()),
    path("workspaces/<uuid:workspace_id>/credentials/test", TestKey.as_view()),
]
