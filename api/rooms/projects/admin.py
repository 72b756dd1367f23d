"""Workspaces, members and projects for operators."""

from django.contrib import admin
from unfold.admin import ModelAdmin, TabularInline

from api.rooms.projects.models import Membership, Project, Workspace


class MembershipInline(TabularInline):
    model = Membership
    extra = 0


@admin.register(Workspace)
class WorkspaceAdmin(ModelAdmin):
    list_display = ("name", "time_zone", "created_at")
    search_fields = ("name",)
    inlines = (MembershipInline,)


@admin.register(Project)
class ProjectAdmin(ModelAdmin):
    list_display = ("name", "workspace", "language", "created_at")
    search_fields = ("name", "workspace__name")
    list_filter = ("language",)
