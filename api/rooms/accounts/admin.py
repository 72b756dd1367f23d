"""People and tokens for operators; secrets cannot be read back."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from api.rooms.accounts import services
from api.rooms.accounts.models import ApiToken, User
from api.rooms.kernel.acting import ActingAdmin
from api.rooms.kernel.acts import Act, Operator, record
from api.rooms.kernel.admin import BoundedPaginator, ReadOnlyAdmin
from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode

admin.site.unregister(Group)  # what it changed left no reason; rights are given to people, one by one


class NewPerson(AdminUserCreationForm):  # type: ignore[type-arg] # generic for the type checker only
    class Meta:
        model = User
        fields = ("email", "name")

    def clean_email(self) -> str:
        """Signing in looks for small letters."""
        return str(self.cleaned_data["email"]).lower()


def _switch(*, is_active: bool) -> Any:
    def act(row: User, operator: Operator) -> None:
        if row.is_superuser and not User.objects.filter(id=operator.id, is_superuser=True).exists():
            raise Refusal(ProblemCode.FORBIDDEN, "Only a superuser may switch a superuser on or off.")
        if row.id == operator.id:
            raise Refusal(ProblemCode.FORBIDDEN, "Nobody switches themselves off: ask another operator.")
        services.reactivate(row.id) if is_active else services.deactivate(row.id)

    return act


@admin.register(User)
class UserAdmin(ActingAdmin, DjangoUserAdmin):  # type: ignore[type-arg] # generic for the type checker only
    """Only superusers type into people; others with the right to change them have the acts."""

    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_display = ("email", "name", "is_active", "is_staff", "is_superuser", "created_at", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("email", "name", "id__exact")
    ordering = ("email",)
    readonly_fields = ("id", "is_active", "created_at", "last_login")
    filter_horizontal = ("user_permissions",)
    add_form = NewPerson
    add_fieldsets = ((None, {"fields": ("email", "name", "usable_password", "password1", "password2")}),)
    related = (
        (_("tokens"), "accounts_apitoken"),
        (_("sessions"), "agent_sessions_session"),
        (_("acts"), "kernel_operatoract"),
    )
    acts = (
        Act(
            "deactivate",
            _("Deactivate"),
            _("These people are signed out at once, their tokens are revoked for good, and they cannot sign in."),
            _switch(is_active=False),
        ),
        Act(
            "reactivate",
            _("Let in again"),
            _("These people may sign in again; tokens that were revoked stay revoked."),
            _switch(is_active=True),
        ),
    )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return self.add_fieldsets
        rights = ("is_active", "is_staff", "is_superuser", "user_permissions")
        beside = tuple(self.shown_beside(request))
        return (
            (None, {"fields": ("id", "email", "name", "language", "created_at", "last_login", *beside)}),
            (_("Rights"), {"fields": rights}),
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and getattr(request.user, "is_superuser", False))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_add_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # what they did stays theirs: deactivate

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) or self.has_operate_permission(request)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return self._log("add", request, obj, super().log_addition(request, obj, message))

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return self._log("change", request, obj, super().log_change(request, obj, message))

    def _log(self, name: str, request: HttpRequest, obj: Any, entry: Any) -> Any:
        """Forms have no reason to ask for; what was changed is written down in its place."""
        user: Any = request.user
        record(name, obj, Operator(user.pk, user.email, entry.get_change_message() or name))
        return entry


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = ("name", "user", "created_at", "revoked_at")
    list_select_related = ("user",)
    list_filter = (("revoked_at", admin.EmptyFieldListFilter), "created_at")
    search_ids = ("id", "user_id")
    search_texts = ("name", "user__email")
    hidden = ("digest",)
    acts = (
        Act(
            "revoke",
            _("Revoke"),
            _("These tokens open nothing from now on; that cannot be taken back."),
            lambda row, operator: services.revoke_token(row.id),
        ),
    )
