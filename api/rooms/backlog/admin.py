"""The backlog for operators, read-only."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from api.rooms.backlog.models import (
    Backlog,
    Epic,
    Feature,
    Iteration,
    Rule,
    SavedFilter,
    Story,
    StoryDetailing,
    StoryEvent,
    StoryResolution,
    Task,
)
from api.rooms.kernel.admin import ReadOnlyAdmin, closed_set
from contracts.routes.detailing import Resolution
from contracts.vocabulary import Promotion, StoryStatus, TaskStatus


@admin.register(Backlog)
class BacklogAdmin(ReadOnlyAdmin):
    list_display = ("project", "promotion", "next_rule", "next_epic", "next_story", "next_task")
    list_select_related = ("project",)
    list_filter = (closed_set("promotion", _("promotion"), list(Promotion)),)
    search_ids = ("project_id",)


@admin.register(Rule)
class RuleAdmin(ReadOnlyAdmin):
    list_display = ("code", "title", "project", "session", "version", "created_at")
    list_select_related = ("project", "session")
    search_ids = ("id", "project_id", "session_id", "event_id")


@admin.register(Epic)
class EpicAdmin(ReadOnlyAdmin):
    list_display = ("code", "title", "project", "session", "created_at")
    list_select_related = ("project", "session")
    search_ids = ("id", "project_id", "session_id")


@admin.register(Feature)
class FeatureAdmin(ReadOnlyAdmin):
    list_display = ("code", "title", "epic", "project", "session", "created_at")
    list_select_related = ("epic", "project", "session")
    search_ids = ("id", "project_id", "session_id", "epic_id")


@admin.register(Story)
class StoryAdmin(ReadOnlyAdmin):
    list_display = ("code", "title", "status", "is_proposed", "version", "epic", "project", "created_at")
    list_select_related = ("epic", "project")
    list_filter = (closed_set("status", _("status"), list(StoryStatus)), "is_proposed")
    search_ids = ("id", "project_id", "session_id", "epic_id")


@admin.register(Task)
class TaskAdmin(ReadOnlyAdmin):
    list_display = ("code", "title", "status", "story", "project", "created_at")
    list_select_related = ("story", "project")
    list_filter = (closed_set("status", _("status"), list(TaskStatus)),)
    search_ids = ("id", "project_id", "story_id")


@admin.register(Iteration)
class IterationAdmin(ReadOnlyAdmin):
    list_display = ("code", "title", "capacity", "version", "project", "session", "created_at")
    list_select_related = ("project", "session")
    search_ids = ("id", "project_id", "session_id")


@admin.register(StoryDetailing)
class StoryDetailingAdmin(ReadOnlyAdmin):
    list_display = ("story", "iteration", "session", "place", "event_id", "created_at")
    list_select_related = ("story", "iteration", "session")
    search_ids = ("id", "session_id", "iteration_id", "story_id", "event_id")


@admin.register(StoryResolution)
class StoryResolutionAdmin(ReadOnlyAdmin):
    list_display = ("said", "how", "story", "project", "session", "created_at")
    list_select_related = ("story", "project", "session")
    list_filter = (closed_set("how", _("how"), list(Resolution)),)
    search_ids = ("id", "project_id", "session_id", "story_id")


@admin.register(SavedFilter)
class SavedFilterAdmin(ReadOnlyAdmin):
    list_display = ("name", "user", "project")
    list_select_related = ("user", "project")
    search_ids = ("id", "project_id", "user_id")


@admin.register(StoryEvent)
class StoryEventAdmin(ReadOnlyAdmin):
    list_display = ("event_id", "story", "session")
    list_select_related = ("story", "session")
    search_ids = ("event_id", "story_id", "session_id")
