"""Budgets: what may be spent in a workspace, a project or a session, and what is spent and held there."""

from typing import Annotated
from uuid import UUID

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from pydantic import Field

from api.rooms.budgets import selectors as budgets
from api.rooms.budgets import services
from api.rooms.budgets.domain.places import NodeKind, Place
from api.rooms.budgets.services.limits import MAX_LIMIT_MICROS
from api.surfaces import access
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.views import Request, View
from contracts.base import Message, Micros
from contracts.vocabulary import Role


class NewBudget(Message):
    """Null is no limit, 0 is zero: the next call is held against what is set here."""

    limit_micros: Annotated[int, Field(ge=0, le=MAX_LIMIT_MICROS)] | None


class BudgetNode(Message):
    id: UUID
    kind: NodeKind
    limit_micros: Micros | None
    spent_micros: Micros
    held_micros: Micros


class BudgetBody(Message):
    """The scope itself first, then what lies above it; all of them must have enough left."""

    nodes: tuple[BudgetNode, ...]


class Budget(View):
    """One class, three scopes."""

    kind: NodeKind = NodeKind.WORKSPACE

    @extend_schema(responses=BudgetBody)
    def get(self, request: Request, scope_id: UUID) -> HttpResponse:
        return self._answer(self._place(scope_id, Role.VIEWER))

    @extend_schema(request=NewBudget, responses=BudgetBody)
    def put(self, request: Request, scope_id: UUID) -> HttpResponse:
        asked = read(request, NewBudget)
        place = self._place(scope_id, Role.OWNER if self.kind is NodeKind.WORKSPACE else Role.MAINTAINER)
        services.set_limit(place, asked.limit_micros)
        return self._answer(place)

    def _place(self, scope_id: UUID, needed: Role) -> Place:
        if self.kind is NodeKind.WORKSPACE:
            return Place(access.workspace(self.user_id, scope_id, needed).id)
        if self.kind is NodeKind.PROJECT:
            return Place(access.project(self.user_id, scope_id, needed).workspace_id, scope_id)
        found = access.session(self.user_id, scope_id, needed)
        return Place(found.project.workspace_id, found.project.id, scope_id)

    @staticmethod
    def _answer(place: Place) -> HttpResponse:
        nodes = tuple(
            BudgetNode(
                id=node.id,
                kind=node.kind,
                limit_micros=node.limit_micros,
                spent_micros=node.spent_micros,
                held_micros=node.held_micros,
            )
            for node in budgets.budget_of(place)
        )
        return write(BudgetBody(nodes=nodes))


urlpatterns = [
    path("workspaces/<uuid:scope_id>/budget", Budget.as_view(kind=NodeKind.WORKSPACE)),
    path("projects/<uuid:scope_id>/budget", Budget.as_view(kind=NodeKind.PROJECT)),
    path("sessions/<uuid:scope_id>/budget", Budget.as_view(kind=NodeKind.SESSION)),
]
