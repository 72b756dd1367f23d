"""The gateway for operators: what is configured and what ran; no secret is ever shown."""

from django.contrib import admin

from api.rooms.gateway.models import Binding, Call, Credential, Model, PriceChange
from api.rooms.kernel.admin import ReadOnlyAdmin


@admin.register(Credential)
class CredentialAdmin(ReadOnlyAdmin):
    list_display = ("provider", "base_url", "has_secret", "workspace_id", "created_at", "replaced_at")
    exclude = ("sealed",)


@admin.register(Model)
class ModelCatalogueAdmin(ReadOnlyAdmin):
    list_display = ("provider", "name", "base_url", "context_tokens", "has_tools", "is_retired", "output_rate")
    list_filter = ("provider", "is_retired")
    search_fields = ("name",)


@admin.register(PriceChange)
class PriceChangeAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "model_id", "input_rate", "output_rate")


@admin.register(Binding)
class BindingAdmin(ReadOnlyAdmin):
    list_display = ("level", "name", "subject_id", "model", "created_at")
    list_filter = ("level",)


@admin.register(Call)
class CallAdmin(ReadOnlyAdmin):
    list_display = ("opened_at", "agent", "provider", "model", "status", "closed_reason", "attempt", "is_repeated")
    list_filter = ("status", "provider", "is_repeated")
    search_fields = ("session_id", "turn_id")
    exclude = ("kept_frame", "text")
