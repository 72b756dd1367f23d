"""Appending against a bare insert, and what a long log costs: its append, its page, its unread badge."""

import time
from collections.abc import Callable
from statistics import median
from uuid import UUID

import psycopg
from django.db import connection
from django.test import Client

from api.rooms.accounts.models import User
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.kernel.ids import new_id
from contracts.events import Actor, AgentResponse
from contracts.vocabulary import ActorKind, SessionKind
from tests.api.gateway.scene import set_scene
from tests.bench.sizes import LONG_LOG, SAMPLES, SHORT_LOG

ACTOR = Actor(kind=ActorKind.AGENT, id="creative")
BLOCKS = 8
BARE_TABLE = "CREATE TABLE bench_bare (id uuid PRIMARY KEY, payload text NOT NULL)"
BARE = "INSERT INTO bench_bare (id, payload) VALUES (%s, %s)"
# What the chain says is not read here: only the number and the kind of rows matter.
FILL = """
INSERT INTO session_events (id, session_id, seq, type, actor_kind, actor_id, to_agent, created_at, canonical, hash)
SELECT gen_random_uuid(), session_id, s, type, actor_kind, actor_id, to_agent, created_at,
       jsonb_set(canonical::jsonb, '{seq}', to_jsonb(s))::text, hash
FROM generate_series(%(from)s::int, %(to)s::int) AS s
JOIN session_events ON session_id = %(session)s AND seq = 2 + s %% 2
"""


def ratio(owner_url: str) -> float:
    """The time of an insert-and-commit over that of an append that stands alone, in turns, a connection each."""
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(BARE_TABLE)
    session_id = _session()
    payload = _payload().model_dump_json()
    with psycopg.connect(owner_url, autocommit=True) as bare:
        _per_call(lambda: _append(session_id), 50)
        ratios = []
        for _ in range(BLOCKS):
            plain = _per_call(lambda: bare.execute(BARE, [new_id(), payload]), SAMPLES // 2)
            ratios.append(plain / _per_call(lambda: _append(session_id), SAMPLES // 2))
    return median(ratios)


def _session() -> UUID:
    scene = set_scene()
    session_id = agent_sessions.open_session(scene.project_id, scene.user_id, SessionKind.CREATIVE)
    for _ in range(2):
        _append(session_id)
    return session_id


def _payload() -> AgentResponse:
    return AgentResponse(turn_id=new_id(), iteration=0, content="A market has neighbours, stalls and rain. " * 10)


def _append(session_id: UUID) -> None:
    """Committed, hashed, told to the open sockets."""
    agent_sessions.append(session_id, ACTOR, _payload())


def _per_call(act: Callable[[], object], times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        act()
    return (time.perf_counter() - began) / times


def growth(owner_url: str) -> tuple[float, float]:
    """Appending to, and opening, a log of 100,000 events over the same with 100, in turns."""
    short, long = _talk(owner_url, SHORT_LOG), _talk(owner_url, LONG_LOG)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("ANALYZE")
    return _growth(_append, short, long, SAMPLES // 3), _growth(_open, short, long, 4)


def _growth(act: Callable[[UUID], object], short: UUID, long: UUID, times: int) -> float:
    act(short)
    act(long)
    pairs = [(_per_call(lambda: act(long), times), _per_call(lambda: act(short), times)) for _ in range(BLOCKS)]
    return median(of_long / of_short for of_long, of_short in pairs)


def _talk(owner_url: str, events: int) -> UUID:
    """A conversation of this length: messages and answers in turn, copied from one of each."""
    from tests.factories.conversation import say
    from tests.factories.places import new_place

    place = new_place()
    say(place)
    _append(place.session_id)
    with psycopg.connect(owner_url) as owner:
        owner.execute(FILL, {"session": place.session_id, "from": 5, "to": events})
        owner.execute("UPDATE agent_sessions_session SET next_seq = %s WHERE id = %s", [events + 1, place.session_id])
        owner.execute(
            "UPDATE agents_instance SET cursor_seq = %s, wanted_seq = %s WHERE session_id = %s",
            [events, events, place.session_id],
        )
    return place.session_id


def _open(session_id: UUID) -> None:
    """The page, and the head by which a list shows what is unread."""
    client = _client(session_id)
    for path in (f"/sessions/{session_id}/", f"/api/v1/sessions/{session_id}"):
        answer = client.get(path)
        if answer.status_code != 200:
            raise RuntimeError(f"{path}: {answer.status_code}")


_clients: dict[UUID, Client] = {}


def _client(session_id: UUID) -> Client:
    if session_id not in _clients:
        with connection.cursor() as cursor:
            cursor.execute("SELECT created_by_id FROM agent_sessions_session WHERE id = %s", [session_id])
            user_id = cursor.fetchone()[0]
        client = Client(headers={"host": "127.0.0.1"})
        client.force_login(User.objects.get(id=user_id))
        _clients[session_id] = client
    return _clients[session_id]
