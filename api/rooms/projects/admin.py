"""Workspaces, members and projects for operators; members change through the room's services."""

from django.contrib import admin
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from api.rooms.kernel.acts import Act, Operator
from api.rooms.kernel.admin import ReadOnlyAdmin, closed_set
from api.rooms.projects import services
from api.rooms.projects.models import Membership, Project, Workspace
from contracts.vocabulary import Language, Role


def _becomes(role: Role) -> Act:
    def perform(row: Membership, operator: Operator) -> None:
        services.change_role(row.workspace_id, row.user_id, role)

    effect = _("These members have the role {role} from now on; open pages follow at once.")
    return Act(f"make-{role}", format_lazy(_("Make {role}"), role=role), format_lazy(effect, role=role), perform)


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    list_display = ("user", "workspace", "role", "created_at")
    list_select_related = ("user", "workspace")
    list_filter = (closed_set("role", _("role"), list(Role)),)
    search_ids = ("id", "user_id", "workspace_id")
    search_texts = ("user__email", "workspace__name")
    acts = (
        *(_becomes(role) for role in Role),
        Act(
            "remove",
            _("Remove from the workspace"),
            _("These people lose the workspace at once: pages, routes and open sockets."),
            lambda row, operator: services.remove_member(row.workspace_id, row.user_id),
        ),
    )


@admin.register(Workspace)
class WorkspaceAdmin(ReadOnlyAdmin):
    list_display = ("name", "time_zone", "created_at")
    search_texts = ("name",)
    related = (
        (_("members"), "projects_membership"),
        (_("projects"), "projects_project"),
        (_("budget"), "budgets_node"),
    )


@admin.register(Project)
class ProjectAdmin(ReadOnlyAdmin):
    list_display = ("name", "workspace", "language", "created_at")
    list_select_related = ("workspace",)
    list_filter = (closed_set("language", _("language"), list(Language)),)
    search_ids = ("id", "workspace_id")
    search_texts = ("name", "workspace__name")
    related = ((_("sessions"), "agent_sessions_session"), (_("budget"), "budgets_node"))
