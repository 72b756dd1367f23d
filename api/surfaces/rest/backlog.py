"""A project's backlog: rules, epics, stories, what covers what, and what a person decides of it."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema

from api.rooms.backlog import selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.cards import EpicCard
from api.surfaces import access
from api.surfaces.codes import STORY
from api.surfaces.rest.backlog_bodies import (
    BacklogBody,
    CoverageBody,
    PromotedBody,
    PromotionBody,
    Promotions,
    Reason,
    RuleList,
    StoryBody,
    StoryEdit,
)
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.views import Request, View
from contracts.vocabulary import Promotion, Role


@dataclass(frozen=True)
class Whole:
    promotion: Promotion
    epics: tuple[EpicCard, ...]


class Backlog(View):
    @extend_schema(operation_id="get_backlog", responses=BacklogBody)
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        """Epics, stories and tasks in their order."""
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(Whole(selectors.promotion_of(project_id), selectors.tree(project_id)))


class Rules(View):
    @extend_schema(operation_id="list_rules", responses=RuleList)
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(selectors.rules(project_id))


class Coverage(View):
    @extend_schema(operation_id="get_coverage", responses=CoverageBody)
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(selectors.coverage(project_id))


class OneStory(View):
    @extend_schema(operation_id="get_story", responses=StoryBody)
    def get(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(selectors.story(project_id, code))

    @extend_schema(operation_id="edit_story", request=StoryEdit, responses=StoryBody)
    def patch(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """Only what is given changes. A ready story that lacks something then is a draft again."""
        asked = read(request, StoryEdit)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.edit(project_id, self.user_id, code, asked.version, asked.changes)
        return write(selectors.story(project_id, code))


class Promote(View):
    @extend_schema(operation_id="promote_stories", request=Promotions, responses=PromotedBody)
    def post(self, request: Request, project_id: UUID) -> HttpResponse:
        asked = read(request, Promotions)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        return write(backlog.promote(project_id, self.user_id, asked.stories))


class ReturnStory(View):
    @extend_schema(operation_id="return_story", request=Reason, responses=StoryBody)
    def post(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """The Product Owner reads the reason and takes it in."""
        asked = read(request, Reason)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.return_story(project_id, self.user_id, code, asked.reason)
        return write(selectors.story(project_id, code))


class DemoteStory(View):
    @extend_schema(operation_id="demote_story", request=Reason, responses=StoryBody)
    def post(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        asked = read(request, Reason)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.demote(project_id, self.user_id, code, asked.reason)
        return write(selectors.story(project_id, code))


class PromotionMode(View):
    @extend_schema(operation_id="set_promotion", request=PromotionBody, responses=PromotionBody)
    def put(self, request: Request, project_id: UUID) -> HttpResponse:
        """`automatic`: what is complete is ready at once. It counts from now on."""
        asked = read(request, PromotionBody)
        access.project(self.user_id, project_id, Role.MAINTAINER)
        backlog.set_promotion(project_id, asked.promotion)
        return write(asked)


PROJECT = "projects/<uuid:project_id>"
urlpatterns = [
    path(f"{PROJECT}/backlog", Backlog.as_view()),
    path(f"{PROJECT}/rules", Rules.as_view()),
    path(f"{PROJECT}/coverage", Coverage.as_view()),
    path(f"{PROJECT}/promotions", Promote.as_view()),
    path(f"{PROJECT}/promotion", PromotionMode.as_view()),
    path(f"{PROJECT}/stories/{STORY}", OneStory.as_view()),
    path(f"{PROJECT}/stories/{STORY}/return", ReturnStory.as_view()),
    path(f"{PROJECT}/stories/{STORY}/demote", DemoteStory.as_view()),
]
