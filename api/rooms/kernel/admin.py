"""How operators see rows: read-only, found by id, counted within bounds, changed by acts alone."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from api.rooms.kernel.acting import ActingAdmin
from api.rooms.kernel.models import Chore, OperatorAct

MAX_COUNTED = 10_000
admin.site.site_header = admin.site.site_title = _("Mutirão for operators")
admin.site.index_title = _("What there is, and what may be done")
admin.site.enable_nav_sidebar = False  # wide lists need the room, and every page names its way back
Filter = type[admin.SimpleListFilter]


class BoundedPaginator(Paginator):  # type: ignore[type-arg] # generic for the type checker only
    """Counts to a limit and no further: a log of millions opens as fast as an empty one."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        counted: int = rows.order_by()[:MAX_COUNTED].count()
        return counted


def closed_set(column: str, name: Any, values: Sequence[str]) -> Filter:
    """A filter whose choices come from the code: asking the table for them would read all of it."""

    class ClosedSet(admin.SimpleListFilter):
        title = name
        parameter_name = column

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return [(value, value) for value in values]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return queryset.filter(**{column: self.value()}) if self.value() in values else queryset

    return ClosedSet


class ReadOnlyAdmin(ActingAdmin):
    """History and machinery: nobody adds, changes or deletes a row by hand, superusers included."""

    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # each is a count of the whole table
    list_per_page = 50
    hidden: tuple[str, ...] = ()
    """Columns that no page shows and no list loads."""
    shown: tuple[str, ...] = ()
    """Where a secret is a neighbour: these columns and no others, whatever the table gains later."""
    search_ids: tuple[str, ...] = ("id",)
    search_texts: tuple[str, ...] = ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer(*self.hidden)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        fields = self.model._meta.fields  # noqa: SLF001 - Django's documented interface
        names = self.shown or tuple(field.name for field in fields if field.name not in self.hidden)
        return [*names, *self.shown_beside(request)]

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return self.search_ids + self.search_texts

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """An id is looked up as one, by its index; other words in the texts."""
        term = search_term.strip()[:200].replace("\x00", "")
        if not term:
            return queryset, False
        names = [f"{name}__icontains" for name in self.search_texts]
        wanted: Any = term
        if (parsed := _uuid(term)) is not None:
            names, wanted = list(self.search_ids), parsed
        if not names:
            return queryset.none(), False
        found = Q()
        for name in names:
            found |= Q(**{name: wanted})
        return queryset.filter(found), False


def _uuid(term: str) -> UUID | None:
    try:
        return UUID(term)
    except ValueError:
        return None


@admin.register(OperatorAct)
class OperatorActAdmin(ReadOnlyAdmin):
    list_display = ("at", "actor", "act", "subject_kind", "subject", "reason")
    list_filter = ("at",)
    date_hierarchy = "at"
    search_ids = ("id", "actor_id", "subject_id")
    search_texts = ("actor", "act", "reason")


@admin.register(Chore)
class ChoreAdmin(ReadOnlyAdmin):
    list_display = ("name", "due_at", "started_at", "report")
    search_ids = ()
    search_texts = ("name",)


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyAdmin):
    """What was typed into forms of this admin, beside the acts."""

    list_display = ("action_time", "user", "content_type", "object_repr", "action_flag", "change_message")
    list_select_related = ("user", "content_type")
    list_filter = ("action_time", "action_flag")
    search_ids = ("user_id",)
    search_texts = ("object_repr", "change_message", "object_id")
