"""All internal routes."""

from django.urls import re_path
from django.views.decorators.csrf import csrf_exempt

from api.surfaces.internal import architecture, backlog, detailing, effects, instances, model, work_items
from api.surfaces.internal.binding import answer_unknown_address
from contracts.version import INTERNAL_PREFIX

urlpatterns = [
    *instances.URLS,
    *effects.URLS,
    *backlog.URLS,
    *architecture.URLS,
    *detailing.URLS,
    *work_items.URLS,
    *model.URLS,
    re_path(f"^{INTERNAL_PREFIX.lstrip('/')}/", csrf_exempt(answer_unknown_address)),
]
