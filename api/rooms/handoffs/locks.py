"""One lock for what must be unique in a whole project."""

from uuid import UUID

from django.db import connection


def lock_project(project_id: UUID) -> None:
    """Until the transaction ends; two sessions that write the same title at once come one after the other."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"project:{project_id}"])
