"""Tasks by hand, and how well agents find the stories that people name. Each answers the story as it stands then."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema

from api.rooms.backlog import selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.services import resolving
from api.surfaces import access
from api.surfaces.codes import STORY, TASK
from api.surfaces.rest.backlog_bodies import Reason, StoryBody
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.iteration_bodies import NewTask, ResolutionsBody, TaskChange, TaskMove
from api.surfaces.rest.views import Request, View
from contracts.vocabulary import Role


class StoryTasks(View):
    @extend_schema(operation_id="add_task", request=NewTask, responses={201: StoryBody})
    def post(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """Written by hand: it stays when the story is detailed again."""
        asked = read(request, NewTask)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.add_task(project_id, self.user_id, code, asked.title, asked.description, asked.domain)
        return write(selectors.story(project_id, code), status=201)


class OneTask(View):
    @extend_schema(operation_id="edit_task", request=TaskChange, responses=StoryBody)
    def patch(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        asked = read(request, TaskChange)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        story = selectors.story_of_task(project_id, code)
        backlog.edit_task(project_id, self.user_id, code, asked.version, asked.title, asked.description, asked.domain)
        return write(selectors.story(project_id, story))

    @extend_schema(operation_id="remove_task", responses={200: StoryBody})
    def delete(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """Only one that nobody began."""
        access.project(self.user_id, project_id, Role.DEVELOPER)
        story = selectors.story_of_task(project_id, code)
        backlog.remove_task(project_id, self.user_id, code)
        return write(selectors.story(project_id, story))


class MoveTask(View):
    @extend_schema(operation_id="move_task", request=TaskMove, responses=StoryBody)
    def post(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        asked = read(request, TaskMove)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.move_task(project_id, self.user_id, code, asked.status)
        return write(selectors.story(project_id, selectors.story_of_task(project_id, code)))


class BlockTask(View):
    @extend_schema(operation_id="block_task", request=Reason, responses=StoryBody)
    def post(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """Nobody takes it before it is unblocked."""
        asked = read(request, Reason)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.block_task(project_id, self.user_id, code, asked.reason)
        return write(selectors.story(project_id, selectors.story_of_task(project_id, code)))


class UnblockTask(View):
    @extend_schema(operation_id="unblock_task", request=None, responses=StoryBody)
    def post(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.unblock_task(project_id, self.user_id, code)
        return write(selectors.story(project_id, selectors.story_of_task(project_id, code)))


class Resolutions(View):
    @extend_schema(operation_id="get_resolutions", responses=ResolutionsBody)
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        """How stories were found that somebody named in a conversation."""
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(ResolutionsBody(**{how.value: count for how, count in resolving.rates(project_id).items()}))


PROJECT = "projects/<uuid:project_id>"
urlpatterns = [
    path(f"{PROJECT}/stories/{STORY}/tasks", StoryTasks.as_view()),
    path(f"{PROJECT}/tasks/{TASK}", OneTask.as_view()),
    path(f"{PROJECT}/tasks/{TASK}/move", MoveTask.as_view()),
    path(f"{PROJECT}/tasks/{TASK}/block", BlockTask.as_view()),
    path(f"{PROJECT}/tasks/{TASK}/unblock", UnblockTask.as_view()),
    path(f"{PROJECT}/resolutions", Resolutions.as_view()),
]
