"""`/metrics`: what the rows say, asked at most every five seconds, for operators alone."""

import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Gauge, generate_latest
from psycopg_pool import PoolTimeout

from api.rooms.kernel.clock import now
from api.rooms.kernel.db import in_thread
from api.surfaces import problems
from api.surfaces.ops.backups import last_backup
from api.surfaces.ops.figures import CENSUSES, FIGURES, census, figure
from contracts.operators import may_read
from contracts.problem import ProblemCode

FRESH_S = 5.0
CENSUS_S = 30.0


@require_safe
async def metrics(request: HttpRequest) -> HttpResponse:
    """To whoever has the operators' token; where none is set, to this machine alone."""
    if not _may_read(request):
        return problems.answer(ProblemCode.NOT_FOUND, "There is nothing here.")
    try:
        body = await in_thread(_of_rows)()
    except (DatabaseError, PoolTimeout):
        return problems.answer(ProblemCode.UNAVAILABLE, "The database does not answer: try again.")
    return HttpResponse(body + generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    return may_read(
        settings.ENVIRONMENT.mutirao_metrics_token or "",
        request.headers.get("Authorization", ""),
        request.META.get("REMOTE_ADDR", ""),
        is_forwarded=settings.ENVIRONMENT.mutirao_trusted_proxies > 0 or "X-Forwarded-For" in request.headers,
    )


class Kept:
    """One answer for all who ask within `fresh_s`; who comes first asks the rows."""

    def __init__(self, read: Callable[[], CollectorRegistry], fresh_s: float) -> None:
        self._read, self._fresh_s = read, fresh_s
        self._lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        self._asked_at, self._text = float("-inf"), b""

    def text(self) -> bytes:
        with self._lock:
            if time.monotonic() - self._asked_at >= self._fresh_s:
                self._text = generate_latest(self._read())
                self._asked_at = time.monotonic()
            return self._text


def _read_figures() -> CollectorRegistry:
    registry = CollectorRegistry()
    for name, asked in FIGURES.items():
        Gauge(name, asked.meaning, registry=registry).set(figure(name))
    backup = last_backup()
    age = Gauge("mutirao_backup_age_seconds", "Since the last backup began; -1 for never.", registry=registry)
    age.set(backup.age_seconds(now()) if backup else -1)
    status = Gauge("mutirao_backup_last_status", "1 went well, 0 failed, -1 never.", registry=registry)
    status.set(int(backup.is_ok) if backup else -1)
    return registry


def _read_censuses() -> CollectorRegistry:
    registry = CollectorRegistry()
    for name, asked in CENSUSES.items():
        gauge = Gauge(name, asked.meaning, asked.labels, registry=registry)
        for labels, count in census(name):
            gauge.labels(*labels).set(count)
    return registry


figures, censuses = Kept(_read_figures, FRESH_S), Kept(_read_censuses, CENSUS_S)


def _of_rows() -> bytes:
    return figures.text() + censuses.text()
