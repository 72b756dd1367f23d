"""The questions, in the order in which one explains the next."""

import shutil
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import httpx
import redis
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from psycopg_pool import PoolTimeout

from api.rooms.gateway import services as gateway
from api.rooms.projects.models import Workspace
from api.surfaces.ops.backups import last_backup
from api.surfaces.ops.doctor.answers import Answer, fail, ok, warn
from api.surfaces.ops.figures import figure
from api.surfaces.ops.health import unready

ANSWER_S = 3.0
GIB = 1024**3
LEAST_FREE_BYTES = GIB
LATE_S = 60
AWAY = (DatabaseError, PoolTimeout)
SILENT_SQL = """
SELECT count(*) FROM agents_instance
WHERE lease_worker IS NOT NULL AND lease_expires_at < now() - interval '30 seconds'
"""


def database() -> Answer:
    """Reachable, migrated, and not allowed to change the log."""
    problems = unready()
    if problems:
        return fail("database", "; ".join(problems), "Check DATABASE_URL and the database's own log.")
    return ok("database", "answers as the app role, migrated, and may not change the log")


def valkey() -> Answer:
    """Under the api's own user, within its own keys."""
    try:
        with redis.Redis.from_url(
            settings.ENVIRONMENT.redis_url, socket_timeout=ANSWER_S, socket_connect_timeout=ANSWER_S
        ) as client:
            client.set("api:doctor", "well", ex=10)
            is_well = client.get("api:doctor") == b"well"
    except redis.RedisError as error:
        return fail("valkey", f"{type(error).__name__}: {error}", "Check REDIS_URL. Nothing is lost; pages are slower.")
    return ok("valkey", "keeps what it is given") if is_well else fail("valkey", "forgets at once", "Check its memory.")


def engine() -> Answer:
    """Its HTTP door and, behind it, the broker."""
    try:
        response = httpx.get(f"{settings.ENGINE_URL}/readyz", timeout=ANSWER_S, trust_env=False)
    except httpx.HTTPError as error:
        return fail("engine", f"{type(error).__name__}: {error}", "Check ENGINE_URL and that the engine's HTTP runs.")
    if response.is_success:
        return ok("engine", "takes wakes, and its broker answers")
    return fail("engine", f"{response.status_code} {response.text[:200]}", "Check BROKER_URL of the engine.")


def outbox() -> Answer:
    """What is due and not delivered: the relay, or a worker, is not there."""
    waiting, oldest_s = figure("mutirao_wakes_waiting"), figure("mutirao_wakes_oldest_seconds")
    dead = figure("mutirao_dead_letters")
    if oldest_s > LATE_S:
        seen = f"{waiting:.0f} wakes wait, the oldest {int(oldest_s)} s"
        return fail("outbox", seen, "Check that the relay and a worker run; their logs say why.")
    if dead:
        return warn("outbox", f"{dead:.0f} dead letters", "Look at them in the admin: retry or discard.")
    return ok("outbox", f"{waiting:.0f} wakes wait, none late")


def workers() -> Answer:
    """Instances whose lease ran out and that nobody took over."""
    with connection.cursor() as cursor:
        cursor.execute(SILENT_SQL)
        silent = (cursor.fetchone() or (0,))[0]
    if silent:
        return fail("workers", f"{silent} agents wait for a worker that went silent", "Start an engine worker.")
    return ok("workers", "no agent waits for a worker that went silent")


def keys() -> Answer:
    """Every stored key opens, and none needs an older sealing key."""
    seals = gateway.count_old_seals()
    if seals.unreadable:
        return fail("keys", f"{seals.unreadable} of {seals.all} keys are opened by nothing", "Enter them again.")
    if seals.old:
        advice = "Run `python -m api rotate_keys`, then take the old sealing key out."
        return warn("keys", f"{seals.old} of {seals.all} keys need an older sealing key", advice)
    return ok("keys", f"all {seals.all} open with the newest sealing key")


def disk() -> Answer:
    """Where this process writes."""
    free = shutil.disk_usage(Path.cwd()).free
    seen = f"{free / GIB:.1f} GiB free"
    return (
        ok("disk", seen) if free >= LEAST_FREE_BYTES else warn("disk", seen, "Make room: PostgreSQL stops when full.")
    )


def time_zones() -> Answer:
    """Days of spend need the data of each workspace's zone."""
    unknown = []
    for name in Workspace.objects.order_by("time_zone").values_list("time_zone", flat=True).distinct()[:500]:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):
            unknown.append(name)
    if unknown:
        return fail("time zones", f"unknown here: {', '.join(unknown)}", "Install tzdata.")
    return ok("time zones", "all are known")


def backup() -> Answer:
    """The last one, as `make backup` wrote it down."""
    last = last_backup()
    if last is None:
        return warn("backup", "none was ever taken", "See docs/backup.md.")
    return (
        ok("backup", "the last one went well") if last.is_ok else warn("backup", "the last one failed", "Run it again.")
    )


QUESTIONS: dict[str, Callable[[], Answer]] = {
    question.__name__.replace("_", " "): question
    for question in (database, valkey, engine, outbox, workers, keys, disk, time_zones, backup)
}


def examine() -> list[Answer]:
    """All answers; a question that cannot be asked is an answer too."""
    found = []
    for subject, question in QUESTIONS.items():
        try:
            found.append(question())
        except AWAY as error:
            found.append(fail(subject, f"{type(error).__name__}", "The database is away: see above."))
    return found
