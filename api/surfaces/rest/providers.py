"""Asking providers: the lists of models read anew, a key tested."""

from typing import Annotated
from uuid import UUID

from asgiref.sync import async_to_sync
from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from pydantic import Field

from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.listing import KeyVerdict
from api.rooms.gateway.services.syncing import Synced
from api.rooms.kernel.db import give_back_connection
from api.surfaces import access
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.views import Request, View
from contracts.base import Message, Slug
from contracts.failures import ORIGINS, ErrorCode, FailureOrigin
from contracts.vocabulary import Role


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


class SyncModels(View):
    @extend_schema(operation_id="sync_models", request=None, responses=SyncAnswer)
    def post(self, request: Request, workspace_id: UUID) -> HttpResponse:
        """Reads every address of the workspace; one that fails takes nothing from the others."""
        del request
        access.workspace(self.user_id, workspace_id, Role.OWNER)
        give_back_connection()
        done = async_to_sync(gateway.sync_workspace)(workspace_id)
        return write(SyncAnswer(sources=tuple(_source(each) for each in done)))


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
    path("workspaces/<uuid:workspace_id>/models/sync", SyncModels.as_view()),
    path("workspaces/<uuid:workspace_id>/credentials/test", TestKey.as_view()),
]
