"""Iterations: planned by people, detailed in one batch that can be stopped and gone on with."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema

from api.rooms.backlog import iteration_pages
from api.rooms.backlog import services as backlog
from api.surfaces import access
from api.surfaces.codes import ITERATION
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.iteration_bodies import (
    IterationBody,
    IterationChange,
    IterationList,
    IterationPageBody,
    KindBody,
    NewIteration,
    page_of,
)
from api.surfaces.rest.views import Request, View
from contracts.vocabulary import Role


class Iterations(View):
    @extend_schema(operation_id="list_iterations", responses=IterationList)
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(tuple(IterationBody.of(each) for each in iteration_pages.iterations(project_id)))

    @extend_schema(operation_id="plan_iteration", request=NewIteration, responses={201: IterationPageBody})
    def post(self, request: Request, project_id: UUID) -> HttpResponse:
        """Empty, and after the others."""
        asked = read(request, NewIteration)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        code = backlog.plan_iteration(project_id, self.user_id, asked.title, asked.capacity)
        return write(page_of(iteration_pages.iteration(project_id, code)), status=201)


class OneIteration(View):
    @extend_schema(operation_id="get_iteration", responses=IterationPageBody)
    def get(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """Its stories in their order, and how far the last batch is."""
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(page_of(iteration_pages.iteration(project_id, code)))

    @extend_schema(operation_id="change_iteration", request=IterationChange, responses=IterationPageBody)
    def put(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """Exactly these stories in this order, against the version that you read."""
        asked = read(request, IterationChange)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.change_iteration(
            project_id, self.user_id, code, asked.version, asked.title, asked.capacity, asked.stories
        )
        return write(page_of(iteration_pages.iteration(project_id, code)))


class Detail(View):
    @extend_schema(operation_id="detail_iteration", request=None, responses={202: IterationPageBody})
    def post(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """Each story without tasks gets some, once; an unfinished batch goes on."""
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.detail_iteration(project_id, self.user_id, code)
        return write(page_of(iteration_pages.iteration(project_id, code)), status=202)


class Cancel(View):
    @extend_schema(operation_id="cancel_detailing", request=None, responses=IterationPageBody)
    def post(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """What was written stays."""
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.cancel_detailing(project_id, self.user_id, code)
        return write(page_of(iteration_pages.iteration(project_id, code)))


class Kind(View):
    @extend_schema(operation_id="set_project_kind", request=KindBody, responses=KindBody)
    def put(self, request: Request, project_id: UUID) -> HttpResponse:
        """What is being built: tasks are written differently for each."""
        asked = read(request, KindBody)
        access.project(self.user_id, project_id, Role.MAINTAINER)
        backlog.set_kind(project_id, asked.kind)
        return write(asked)


PROJECT = "projects/<uuid:project_id>"
urlpatterns = [
    path(f"{PROJECT}/iterations", Iterations.as_view()),
    path(f"{PROJECT}/iterations/{ITERATION}", OneIteration.as_view()),
    path(f"{PROJECT}/iterations/{ITERATION}/detail", Detail.as_view()),
    path(f"{PROJECT}/iterations/{ITERATION}/cancel", Cancel.as_view()),
    path(f"{PROJECT}/kind", Kind.as_view()),
]
