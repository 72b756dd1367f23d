"""Business rules: what they rest on, reworded, merged; the impact of that; and from any code the way back to "why?"."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema

from api.rooms.backlog import services as backlog
from api.rooms.backlog.cards import ToLookAt
from api.rooms.backlog.impact import to_look_at
from api.rooms.backlog.rule_pages import rule_page
from api.rooms.backlog.selectors import story
from api.rooms.backlog.tracing import trace
from api.surfaces import access
from api.surfaces.codes import RULE, STORY
from api.surfaces.rest.backlog_bodies import StoryBody
from api.surfaces.rest.bodies import read, uuid_in, write
from api.surfaces.rest.rule_bodies import ImpactBody, Looked, RuleEdit, RuleMerge, RulePageBody, TraceBody
from api.surfaces.rest.views import Request, View
from contracts.vocabulary import Role

OF_PROJECT = OpenApiParameter("project", UUID, required=True, description="The project's id.")
OF_CODE = OpenApiParameter("of", str, required=True, description="A rule, a story or a task: R-3, S-14, T-31.")


@dataclass(frozen=True)
class Impacted:
    stories: tuple[ToLookAt, ...]


class OneRule(View):
    @extend_schema(operation_id="get_rule", responses=RulePageBody)
    def get(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(rule_page(project_id, code))

    @extend_schema(operation_id="edit_rule", request=RuleEdit, responses=RulePageBody)
    def patch(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """A new wording, which supersedes the one before; the stories that cite the rule have to be looked at."""
        asked = read(request, RuleEdit)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.edit_rule(project_id, self.user_id, code, asked.version, asked.title, asked.description)
        return write(rule_page(project_id, code))


class MergeRule(View):
    @extend_schema(operation_id="merge_rule", request=RuleMerge, responses=RulePageBody)
    def post(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """Answers the rule that stays. What cited the other one cites it now, and has to be looked at."""
        asked = read(request, RuleMerge)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.merge_rules(project_id, self.user_id, code, asked.into)
        return write(rule_page(project_id, asked.into))


class ReviewStory(View):
    @extend_schema(operation_id="review_story", request=Looked, responses=StoryBody)
    def post(self, request: Request, project_id: UUID, code: str) -> HttpResponse:
        """The story says what these rules say now."""
        asked = read(request, Looked)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.review_story(project_id, self.user_id, code, {each.code: each.version for each in asked.rules})
        return write(story(project_id, code))


class Impact(View):
    @extend_schema(operation_id="get_impact", responses=ImpactBody)
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        """Stories whose rules were reworded since they cited them, and who looks at each."""
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(Impacted(to_look_at(project_id)))


class Trace(View):
    query = frozenset({"project", "of"})

    @extend_schema(operation_id="get_trace", parameters=[OF_PROJECT, OF_CODE], responses=TraceBody)
    def get(self, request: Request) -> HttpResponse:
        """Up to the sentences it came from and down to what came of it; a hop that is not there is in `missing`."""
        project_id = uuid_in(request, "project")
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(trace(project_id, request.query_params.get("of", "")))


PROJECT = "projects/<uuid:project_id>"
urlpatterns = [
    path(f"{PROJECT}/rules/{RULE}", OneRule.as_view()),
    path(f"{PROJECT}/rules/{RULE}/merge", MergeRule.as_view()),
    path(f"{PROJECT}/stories/{STORY}/review", ReviewStory.as_view()),
    path(f"{PROJECT}/impact", Impact.as_view()),
    path("trace", Trace.as_view()),
]
