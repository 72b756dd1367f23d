"""The gateway for operators: what is configured and what ran; no secret is ever shown."""

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from api.rooms.gateway.models import Binding, Call, Credential, Model, PriceChange


class ReadOnly(ModelAdmin):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False


@admin.register(Credential)
class CredentialAdmin(ReadOnly):
    list_display = ("provider", "base_url", "has_secret", "workspace_id", "created_at", "replaced_at")
    exclude = ("sealed",)


@admin.register(Model)
class ModelCatalogueAdmin(ReadOnly):
    list_display = ("provider", "name", "base_url", "context_tokens", "has_tools", "is_retired", "output_rate")
    list_filter = ("provider", "is_retired")
    search_fields = ("name",)


@admin.register(PriceChange)
class PriceChangeAdmin(ReadOnly):
    list_display = ("created_at", "model_id", "input_rate", "output_rate")


@admin.register(Binding)
class BindingAdmin(ReadOnly):
    list_display = ("level", "name", "subject_id", "model", "created_at")
    list_filter = ("level",)


@admin.register(Call)
class CallAdmin(ReadOnly):
    list_display = ("opened_at", "agent", "provider", "model", "status", "closed_reason", "attempt", "is_repeated")
    list_filter = ("status", "provider", "is_repeated")
    search_fields = ("session_id", "turn_id")
    exclude = ("kept_frame", "text")
