"""The models that a workspace knows: listed, switched, marked, priced."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema

from api.rooms.gateway import catalogue
from api.rooms.gateway import services as gateway
from api.rooms.kernel.refusals import Refusal, not_found
from api.surfaces import access
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.model_bodies import (
    Catalogue,
    ModelChange,
    PriceHistory,
    changes_of,
    model_body,
    price_change_body,
)
from api.surfaces.rest.views import Request, View
from contracts.problem import ProblemCode
from contracts.vocabulary import Role


class Models(View):
    @extend_schema(operation_id="list_models", responses=Catalogue)
    def get(self, request: Request, workspace_id: UUID) -> HttpResponse:
        del request
        access.workspace(self.user_id, workspace_id, Role.VIEWER)
        return write(Catalogue(models=tuple(model_body(card) for card in catalogue.models_of(workspace_id))))


class OneModel(View):
    @extend_schema(operation_id="change_model", request=ModelChange, responses=Catalogue)
    def patch(self, request: Request, workspace_id: UUID, model_id: UUID) -> HttpResponse:
        """For owners, who decide what the workspace may use and what it costs (RN-052)."""
        asked = read(request, ModelChange)
        if not asked.model_fields_set:
            detail = "Say what to change: `is_active`, `uses`, `fallback_id` or `price`."
            raise Refusal(ProblemCode.INVALID_BODY, detail)
        access.workspace(self.user_id, workspace_id, Role.OWNER)
        gateway.change_model(workspace_id, model_id, changes_of(asked), self.user_id)
        card = catalogue.model_of(workspace_id, model_id)
        return write(Catalogue(models=(model_body(card),) if card else ()))


class Prices(View):
    @extend_schema(operation_id="list_price_changes", responses=PriceHistory)
    def get(self, request: Request, workspace_id: UUID, model_id: UUID) -> HttpResponse:
        del request
        access.workspace(self.user_id, workspace_id, Role.VIEWER)
        if catalogue.model_of(workspace_id, model_id) is None:
            raise not_found("model")
        found = catalogue.price_changes(workspace_id, model_id)
        return write(PriceHistory(changes=tuple(price_change_body(each) for each in found)))


urlpatterns = [
    path("workspaces/<uuid:workspace_id>/models", Models.as_view()),
    path("workspaces/<uuid:workspace_id>/models/<uuid:model_id>", OneModel.as_view()),
    path("workspaces/<uuid:workspace_id>/models/<uuid:model_id>/prices", Prices.as_view()),
]
