"""`/metrics`: what the rows say, asked at most every five seconds, for operators alone."""

import hmac
import ipaddress
import threading
import time

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Gauge, generate_latest
from psycopg_pool import PoolTimeout

from api.rooms.kernel.clock import now
from api.rooms.kernel.db import in_thread
from api.surfaces import problems
from api.surfaces.ops.backups import last_backup
from contracts.problem import ProblemCode

FRESH_S = 5.0
FIGURES = {
    "mutirao_holds_open": ("Holds of calls in flight.", "SELECT count(*) FROM budgets_hold WHERE status = 'open'"),
    "mutirao_turns_running": (
        "Turns that run or wait within a turn.",
        "SELECT count(*) FROM turns_turn WHERE status = 'running'",
    ),
    "mutirao_leases_expired": (
        "Instances whose worker went silent.",
        "SELECT count(*) FROM agents_instance WHERE lease_worker IS NOT NULL AND lease_expires_at < now()",
    ),
    "mutirao_wakes_waiting": ("Wakes not delivered yet.", "SELECT count(*) FROM outbox_wake"),
    "mutirao_wakes_oldest_seconds": (
        "How long the oldest due wake has waited.",
        "SELECT COALESCE(EXTRACT(EPOCH FROM now() - min(due_at)), 0) FROM outbox_wake WHERE due_at <= now()",
    ),
    "mutirao_outbox_waiting": (
        "Messages not delivered yet.",
        "SELECT count(*) FROM outbox_outboxmessage WHERE delivered_at IS NULL AND dead_at IS NULL",
    ),
    "mutirao_dead_letters": (
        "Messages that were given up and wait for a person.",
        "SELECT count(*) FROM outbox_outboxmessage WHERE dead_at IS NOT NULL AND discarded_at IS NULL",
    ),
}
_lock = threading.Lock()
_kept: tuple[float, bytes] = (float("-inf"), b"")


@require_safe
async def metrics(request: HttpRequest) -> HttpResponse:
    """To whoever has the operators' token; where none is set, to this machine alone."""
    if not may_read(request):
        return problems.answer(ProblemCode.NOT_FOUND, "There is nothing here.")
    try:
        body = await in_thread(_figures)()
    except (DatabaseError, PoolTimeout):
        return problems.answer(ProblemCode.UNAVAILABLE, "The database does not answer: try again.")
    return HttpResponse(body + generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


def may_read(request: HttpRequest) -> bool:
    """A proxy on this machine makes everybody local: behind one only the token counts."""
    token = settings.ENVIRONMENT.mutirao_metrics_token
    if token:
        return hmac.compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {token}".encode())
    if settings.ENVIRONMENT.mutirao_trusted_proxies or "X-Forwarded-For" in request.headers:
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def figure(name: str) -> float:
    """One of FIGURES, as the rows say it now."""
    with connection.cursor() as cursor:
        cursor.execute(FIGURES[name][1])
        row = cursor.fetchone()
    return float(row[0]) if row else 0.0


def _figures() -> bytes:
    global _kept  # noqa: PLW0603 - one answer for all who ask within five seconds
    with _lock:
        if time.monotonic() - _kept[0] >= FRESH_S:
            _kept = time.monotonic(), generate_latest(_read())
        return _kept[1]


def _read() -> CollectorRegistry:
    registry = CollectorRegistry()
    for name, (meaning, _) in FIGURES.items():
        Gauge(name, meaning, registry=registry).set(figure(name))
    backup = last_backup()
    age = Gauge("mutirao_backup_age_seconds", "Since the last backup began; -1 for never.", registry=registry)
    age.set(backup.age_seconds(now()) if backup else -1)
    status = Gauge("mutirao_backup_last_status", "1 went well, 0 failed, -1 never.", registry=registry)
    status.set(int(backup.is_ok) if backup else -1)
    return registry
