"""How many rows every table has: what was half written shows."""

from django.db import connection
from psycopg import sql


def count_rows() -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        names = [name for (name,) in cursor.fetchall()]
        counts = [
            sql.SQL("SELECT {}, count(*) FROM {}").format(sql.Literal(name), sql.Identifier(name)) for name in names
        ]
        cursor.execute(sql.SQL(" UNION ALL ").join(counts).as_string(cursor.connection))
        return dict(cursor.fetchall())
