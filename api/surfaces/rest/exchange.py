"""A backlog as a document: out as JSON, CSV or Markdown, and in from those and from other tools, with a dry run."""

from typing import Annotated
from uuid import UUID

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from pydantic import Field

from api.rooms.backlog import services as backlog
from api.rooms.backlog.domain.documents import BacklogDocument
from api.rooms.backlog.exporting import document, written
from api.surfaces import access
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.views import Request, View
from contracts.base import Message
from contracts.limits import MAX_DOCUMENT_CHARS
from contracts.vocabulary import Role


class ImportOf(Message):
    """`format` is json, csv (both as exported here), jira, plane (their CSV exports) or task_master (a `tasks.json`).

    A dry run makes nothing, and says what would be made.
    """

    format: str
    text: Annotated[str, Field(max_length=MAX_DOCUMENT_CHARS)]
    is_dry_run: bool = True


class ItemBody(Message):
    """`code` is the one it has in the document, `made` the one it got or would get here."""

    kind: str
    code: str
    made: str
    title: str


class ImportedBody(Message):
    """`skipped` says what was not made and why; `session_id` is null in a dry run."""

    made: tuple[ItemBody, ...]
    skipped: tuple[str, ...]
    session_id: UUID | None


class Export(View):
    @extend_schema(operation_id="export_backlog", responses=BacklogDocument)
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        """With codes and links: what comes out can be taken in again."""
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(document(project_id))


class ExportAs(View):
    @extend_schema(operation_id="export_backlog_as", responses={200: str})
    def get(self, request: Request, project_id: UUID, kind: str) -> HttpResponse:
        """`csv`: a row for each thing. `md`: for people to read."""
        access.project(self.user_id, project_id, Role.VIEWER)
        content_type, text = written(document(project_id), kind)
        return HttpResponse(text, content_type=content_type)


class Import(View):
    @extend_schema(operation_id="import_backlog", request=ImportOf, responses=ImportedBody)
    def post(self, request: Request, project_id: UUID) -> HttpResponse:
        """All of it or nothing; what is there by its title is used and not made again."""
        asked = read(request, ImportOf)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        found = backlog.read_document(asked.format, asked.text)
        bring = backlog.dry_run if asked.is_dry_run else backlog.bring_in
        return write(bring(project_id, self.user_id, found))


PROJECT = "projects/<uuid:project_id>"
urlpatterns = [
    path(f"{PROJECT}/backlog/export", Export.as_view()),
    path(f"{PROJECT}/backlog/export.<slug:kind>", ExportAs.as_view()),
    path(f"{PROJECT}/backlog/import", Import.as_view()),
]
