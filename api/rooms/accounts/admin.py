"""People and tokens for operators; secrets cannot be read back."""

from django.contrib import admin
from django.contrib.auth.forms import AdminPasswordChangeForm
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from api.rooms.accounts.models import ApiToken, User


@admin.register(User)
class UserAdmin(ModelAdmin):
    list_display = ("email", "name", "is_active", "is_staff", "created_at")
    search_fields = ("email", "name")
    list_filter = ("is_active", "is_staff")
    readonly_fields = ("created_at", "last_login")
    exclude = ("password", "user_permissions", "groups")
    change_password_form = AdminPasswordChangeForm


@admin.register(ApiToken)
class ApiTokenAdmin(ModelAdmin):
    list_display = ("name", "user", "created_at", "revoked_at")
    search_fields = ("name", "user__email")
    readonly_fields = ("user", "name", "created_at")
    exclude = ("digest",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
