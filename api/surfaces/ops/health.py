"""`/livez` touches nothing; `/readyz` says whether this process may serve, and fails on unsafe grants."""

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as package_version

from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe
from psycopg_pool import PoolTimeout

from api.rooms.kernel.db import in_thread
from contracts.version import WIRE_VERSION


@require_safe
async def livez(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"})


@require_safe
async def readyz(request: HttpRequest) -> JsonResponse:
    problems = await in_thread(unready)()
    return JsonResponse(
        {"status": "unready" if problems else "ready", "problems": problems}, status=503 if problems else 200
    )


@require_safe
async def version(request: HttpRequest) -> JsonResponse:
    try:
        number = package_version("mutirao")
    except PackageNotFoundError:
        number = "0.1.0"
    return JsonResponse({"version": number, "wire": WIRE_VERSION})


def unready() -> list[str]:
    """What keeps this process from serving; empty when it may."""
    try:
        if _lacks_migrations():
            return ["migrations are missing: run `python -m api migrate` as the owner"]
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT bool_or(has_table_privilege('session_events', privilege)) "
                "FROM unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS privilege"
            )
            row = cursor.fetchone()
    except (DatabaseError, PoolTimeout) as error:
        return [f"the database does not answer: {type(error).__name__}"]
    if row and row[0]:
        return ["this role may change the event log: connect as the app role (see grant_app_role)"]
    return []


_is_migrated = False


def _lacks_migrations() -> bool:
    """Reading the graph is slow, and what was applied once stays applied while this process lives."""
    global _is_migrated  # noqa: PLW0603 - remembers only that the check once passed
    if not _is_migrated:
        executor = MigrationExecutor(connection)
        _is_migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return not _is_migrated
