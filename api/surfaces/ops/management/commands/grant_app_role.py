"""After `migrate`, as the owner: what the app role may do. Never: change or remove events."""

from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from psycopg import sql

from api.settings import ENVIRONMENT

STATEMENTS = (
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {role}",
    "REVOKE UPDATE, DELETE, TRUNCATE ON session_events FROM {role}",
    "REVOKE UPDATE, DELETE, TRUNCATE ON kernel_operatoract FROM {role}",
    "REVOKE UPDATE, DELETE, TRUNCATE ON gateway_pricechange FROM {role}",
    "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}",
)


class Command(BaseCommand):
    help = "Grants the role of DATABASE_URL what the services need; run as the owner (MIGRATION_DATABASE_URL)."
    requires_system_checks = ()  # they load every page, and this must start quickly

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        role = unquote(urlsplit(ENVIRONMENT.database_url).username or "")
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_user")
            row = cursor.fetchone()
            if not role or (row and row[0] == role):
                raise CommandError("DATABASE_URL must name the app role and MIGRATION_DATABASE_URL the owner.")
            for statement in STATEMENTS:
                cursor.execute(sql.SQL(statement).format(role=sql.Identifier(role)).as_string(cursor.connection))
        self.stdout.write(f"{role} may use the tables, and may only add to the event log.")
