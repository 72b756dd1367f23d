"""The gateway for operators: what is configured and what ran; no secret is ever shown."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from api.rooms.budgets.models import Hold
from api.rooms.gateway import services
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.bindings import Level
from api.rooms.gateway.models import Binding, Call, CatalogueSync, Credential, Model, PriceChange
from api.rooms.gateway.providers import PROVIDERS
from api.rooms.kernel.acts import Act, Operator
from api.rooms.kernel.admin import ReadOnlyAdmin, closed_set
from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode

HOLD_STATES = (Hold.OPEN, Hold.SETTLED, Hold.BOOKED, Hold.RELEASED)
PROVIDER = closed_set("provider", _("provider"), list(PROVIDERS))


def _book(row: Hold | Call, operator: Operator) -> None:
    if not services.end(row.id):
        raise Refusal(ProblemCode.INVALID_TRANSITION, "This call has ended: nothing is held for it any more.")


BOOK = Act(
    "book",
    _("Book as spent"),
    _("These calls end and are booked at their worst case, as an estimate; a late answer puts the real figure there."),
    _book,
)


@admin.register(Credential)
class CredentialAdmin(ReadOnlyAdmin):
    list_display = ("provider", "base_url", "has_secret", "workspace_id", "created_at", "replaced_at")
    list_filter = (PROVIDER,)
    shown = ("id", *list_display)
    hidden = ("sealed",)
    search_ids = ("id", "workspace_id")
    search_texts = ("base_url",)


@admin.register(Model)
class ModelCatalogueAdmin(ReadOnlyAdmin):
    list_display = ("provider", "name", "base_url", "context_tokens", "has_tools", "is_retired", "output_rate")
    list_filter = (PROVIDER, "is_retired")
    search_ids = ("id", "workspace_id")
    search_texts = ("name", "base_url")
    related = ((_("price changes"), "gateway_pricechange"), (_("bindings"), "gateway_binding"))


@admin.register(PriceChange)
class PriceChangeAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "model_id", "input_rate", "output_rate")
    list_filter = ("created_at",)
    search_ids = ("id", "model_id")
    related_by = "model_id"
    related = ((_("model"), "gateway_model"),)


@admin.register(CatalogueSync)
class CatalogueSyncAdmin(ReadOnlyAdmin):
    """Whether a provider's list could be read: where a provider is down, this says since when."""

    list_display = ("provider", "base_url", "tried_at", "succeeded_at", "listed", "error_code")
    list_filter = (PROVIDER, ("error_code", admin.EmptyFieldListFilter), "tried_at")
    search_ids = ("id", "workspace_id")
    search_texts = ("base_url", "error_code")
    related_by = "workspace_id"
    related = ((_("workspace"), "projects_workspace"), (_("models"), "gateway_model"))


@admin.register(Binding)
class BindingAdmin(ReadOnlyAdmin):
    list_display = ("level", "name", "subject_id", "model", "created_at")
    list_select_related = ("model",)
    list_filter = (closed_set("level", _("level"), list(Level)),)
    search_ids = ("id", "subject_id", "workspace_id", "model_id")
    search_texts = ("name",)


@admin.register(Call)
class CallAdmin(ReadOnlyAdmin):
    list_display = ("opened_at", "agent", "provider", "model", "status", "closed_reason", "attempt", "is_repeated")
    list_filter = (closed_set("status", _("status"), list(CallStatus)), PROVIDER, "is_repeated", "opened_at")
    shown = (
        *("id", "session_id", "turn_id", "instance_id", "step", "call", "attempt", "epoch", "iteration", "agent"),
        *("provider", "model", "binding_origin", "price", "body_bytes", "max_output_tokens", "is_for_people"),
        *("is_repeated", "status", "closed_reason", "opened_at", "closed_at", "ended_at"),
    )
    hidden = ("kept_frame", "text", "wire_ids")
    search_ids = ("id", "session_id", "turn_id", "instance_id")
    search_texts = ("model",)
    related = ((_("hold"), "budgets_hold"), (_("usage"), "budgets_tokenusage"))
    acts = (BOOK,)


@admin.register(Hold)
class HoldAdmin(ReadOnlyAdmin):
    """A hold is a call's: whoever ends it ends the call, which is why it is here and not with the budgets."""

    list_display = ("status", "amount_micros", "booked_micros", "session_id", "step", "call", "attempt", "expires_at")
    list_filter = (
        closed_set("status", _("status"), HOLD_STATES),
        "expires_at",
    )
    search_ids = ("id", "session_id", "instance_id", "project_id", "workspace_id")
    related = ((_("call"), "gateway_call"), (_("usage"), "budgets_tokenusage"))
    acts = (BOOK,)
