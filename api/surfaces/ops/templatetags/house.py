"""What an operator sees first: whether anything is wrong, with the way to its rows, and what others did."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from api.rooms.kernel.models import OperatorAct
from api.surfaces.ops.figures import figure

register = template.Library()
MAX_ACTS = 8


@dataclass(frozen=True)
class Place:
    """A figure of the house and the list that it counts; `is_trouble` when more than none is wrong."""

    figure: str
    title: Promise
    model: str
    query: str
    is_trouble: bool


PLACES = (
    Place("mutirao_dead_letters", _("dead letters"), "outbox_outboxmessage", "state=dead", is_trouble=True),
    Place("mutirao_leases_expired", _("workers gone silent"), "agents_instance", "lease=expired", is_trouble=True),
    Place("mutirao_wakes_waiting", _("wakes waiting"), "outbox_wake", "", is_trouble=False),
    Place("mutirao_turns_running", _("turns running"), "turns_turn", "status=running", is_trouble=False),
    Place("mutirao_turns_queued", _("agents with something new"), "agents_instance", "", is_trouble=False),
    Place("mutirao_holds_open", _("holds open"), "budgets_hold", "status=open", is_trouble=False),
)


@dataclass(frozen=True)
class Stand:
    """As the page writes it."""

    title: Promise
    count: int
    url: str
    is_wrong: bool


@register.simple_tag
def house_stands(user: Any) -> list[Stand]:
    """Only what this operator may look at."""
    return [_stand(place) for place in PLACES if _may_see(user, place.model)]


def _may_see(user: Any, model: str) -> bool:
    app, _, name = model.partition("_")
    return bool(user.has_perm(f"{app}.view_{name}") or user.has_perm(f"{app}.change_{name}"))


def _stand(place: Place) -> Stand:
    count = int(figure(place.figure))
    url = reverse(f"admin:{place.model}_changelist") + (f"?{place.query}" if place.query else "")
    return Stand(place.title, count, url, is_wrong=place.is_trouble and count > 0)


@register.simple_tag
def last_acts(user: Any) -> "QuerySet[OperatorAct]":
    """Newest first; none for those who may not look at them."""
    may_see = user.has_perm("kernel.view_operatoract")
    return OperatorAct.objects.order_by("-at")[:MAX_ACTS] if may_see else OperatorAct.objects.none()
