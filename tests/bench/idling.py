"""What a thousand waiting sessions cost: CPU of all our processes, and no process or connection more."""

import time

import psycopg

from tests.bench.clocks import cpu_seconds
from tests.bench.running_house import RunningHouse
from tests.bench.sizes import IDLE_SECONDS, WAITING

COPY_SESSIONS = """
INSERT INTO agent_sessions_session
    (id, project_id, created_by_id, kind, status, next_seq, head_hash, created_at, last_event_at)
SELECT gen_random_uuid(), project_id, created_by_id, kind, status, next_seq, head_hash, created_at, last_event_at
FROM agent_sessions_session, generate_series(1, %(number)s) WHERE id = %(session)s
RETURNING id
"""
COLUMNS = """
SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
WHERE table_name = 'agents_instance' AND column_name NOT IN ('id', 'session_id')
"""
CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"


def percent(house: RunningHouse) -> float:
    """Of one core, with the sessions minus without them."""
    with psycopg.connect(house.owner_url, autocommit=True) as database:
        talk = house.talk(house.project())
        talk.say("@plain 3 0 @")
        talk.until(lambda events: any(event.payload.type == "turn.ended" for event in events))
        time.sleep(3)
        alone, connections = _cpu_percent(house), _count(database)
        _multiply(database, talk.session_id)
        crowded = _cpu_percent(house)
        if _count(database) > connections:
            raise RuntimeError("waiting sessions hold connections")
        return crowded - alone


def _cpu_percent(house: RunningHouse) -> float:
    processes = [each for process in house.processes() for each in (process, *process.children(recursive=True))]
    before, began = cpu_seconds(processes), time.monotonic()
    time.sleep(IDLE_SECONDS)
    return (cpu_seconds(processes) - before) / (time.monotonic() - began) * 100


def _multiply(database: "psycopg.Connection[tuple[object, ...]]", session_id: str) -> None:
    """Sessions like this one, whose agent has answered and waits for its person."""
    found = database.execute(COPY_SESSIONS, {"number": WAITING, "session": session_id}).fetchall()
    columns = database.execute(COLUMNS).fetchone()
    names = str(columns[0]) if columns else ""
    database.execute(
        f"INSERT INTO agents_instance (id, session_id, {names}) SELECT gen_random_uuid(), copied, {names} "  # noqa: S608
        "FROM agents_instance, unnest(%s::uuid[]) AS copied WHERE session_id = %s",
        [[row[0] for row in found], session_id],
    )


def _count(database: "psycopg.Connection[tuple[object, ...]]") -> int:
    row = database.execute(CONNECTIONS).fetchone()
    return int(str(row[0])) if row else 0
