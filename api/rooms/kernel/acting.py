"""Acts in the admin: chosen from a list or a row, confirmed on a page that says what will happen and asks why."""

from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from api.rooms.kernel.acts import MAX_REASON, Act, Operator, perform
from api.rooms.kernel.refusals import Refusal

MAX_ROWS = 100


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "autofocus": True}),
        help_text=gettext_lazy("It is kept with your name and the time, for whoever asks later."),
    )


if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
else:
    Base = admin.ModelAdmin  # generic for the type checker only


class ActingAdmin(Base):
    """`acts` are the only changes; who may change rows of this kind may do them."""

    acts: tuple[Act, ...] = ()
    related: tuple[tuple[Any, str], ...] = ()
    """Title and model (`app_model`) of rows that the id of this one finds."""
    related_by = "pk"

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")

    def shown_beside(self, request: HttpRequest) -> list[str]:
        shown = ["links_to_rows"] if self.related else []
        return [*shown, "links_to_acts"] if self.acts and self.has_operate_permission(request) else shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [*super().get_readonly_fields(request, obj), *self.shown_beside(request)]

    @admin.display(description=gettext_lazy("Related rows"))
    def links_to_rows(self, row: Any) -> str:
        wanted = urlencode({"q": str(getattr(row, self.related_by) or "")})
        links = ((f"{reverse(f'admin:{name}_changelist')}?{wanted}", title) for title, name in self.related)
        return format_html_join(" · ", '<a href="{}">{}</a>', links)

    @admin.display(description=gettext_lazy("What you may do"))
    def links_to_acts(self, row: Any) -> str:
        links = ((self._act_url(act, [row.pk]), act.title) for act in self.acts)
        return format_html_join(" · ", '<a href="{}">{}</a>', links)

    def _act_url(self, act: Act, keys: list[Any]) -> str:
        base = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_act", args=[act.name])
        return f"{base}?{urlencode({'id': [str(key) for key in keys]}, doseq=True)}"

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        if not self.has_operate_permission(request):
            return {}
        return {act.name: (partial(_choose, act), act.name, act.title) for act in self.acts}

    def get_urls(self) -> list[Any]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_act"
        return [path("act/<slug:name>/", self.admin_site.admin_view(self.act_view), name=name), *super().get_urls()]

    def act_view(self, request: HttpRequest, name: str) -> HttpResponse:
        """GET says what will happen; POST with a reason does it."""
        if not self.has_operate_permission(request):
            raise PermissionDenied
        act = next((act for act in self.acts if act.name == name), None)
        rows = self._rows(request)
        if act is None or not rows:
            raise Http404
        form = ReasonForm(request.POST or None)
        if form.is_valid():
            self._perform_all(request, act, rows, form.cleaned_data["reason"])
            return HttpResponseRedirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"))
        context = {"title": act.title, "act": act, "rows": rows, "form": form, "opts": self.opts, "media": self.media}
        return TemplateResponse(request, "admin/act.html", {**self.admin_site.each_context(request), **context})

    def _rows(self, request: HttpRequest) -> list[Any]:
        keys = request.GET.getlist("id")[:MAX_ROWS]
        try:
            return list(self.get_queryset(request).filter(pk__in=keys))
        except (ValueError, ValidationError) as error:
            raise Http404 from error

    def _perform_all(self, request: HttpRequest, act: Act, rows: list[Any], reason: str) -> None:
        user: Any = request.user
        operator = Operator(user.pk, user.email, reason)
        for row in rows:
            try:
                perform(act, row, operator)
            except Refusal as refusal:
                messages.error(request, f"{row}: {refusal.detail}")
            else:
                messages.success(request, _("{row}: done.").format(row=row))


def _choose(act: Act, model_admin: ActingAdmin, _request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
    keys = list(queryset.values_list("pk", flat=True)[:MAX_ROWS])
    return HttpResponseRedirect(model_admin._act_url(act, keys))  # noqa: SLF001 - the same file
