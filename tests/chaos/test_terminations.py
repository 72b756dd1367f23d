"""SIGTERM around commits: what an event promises to others is there if, and only if, the event is."""

import json
import subprocess
import sys
import time
from uuid import UUID

import pytest

from api.rooms.agent_sessions.domain.chain import Link, Start, genesis, verify
from tests.chaos.ledger import Ledger
from tests.chaos.oracle import HEAD, LINKS
from tests.chaos.summary import RESULTS
from tests.factories.places import new_place
from tests.plugins.services import SERVICES
from tests.plugins.stack import ROOT

OTHERWISE = {
    "wakes that are not the newest addressed event": """
SELECT i.session_id, i.wanted_seq, w.seq AS wake, e.addressed
FROM agents_instance i LEFT JOIN outbox_wake w ON w.instance_id = i.id LEFT JOIN (
    SELECT session_id, to_agent, max(seq) AS addressed FROM session_events GROUP BY 1, 2
) e ON e.session_id = i.session_id AND e.to_agent = i.agent
WHERE (w.seq, i.wanted_seq) IS DISTINCT FROM (e.addressed, coalesce(e.addressed, 0))
""",
    "wakes of nobody": "SELECT * FROM outbox_wake WHERE instance_id NOT IN (SELECT id FROM agents_instance)",
    "turns that ended without their message, or messages without such an end": """
SELECT ended.turn_id AS in_log, told.turn_id AS in_outbox FROM (
    SELECT data->'payload'->>'turn_id' AS turn_id FROM session_events
    WHERE type = 'turn.ended' AND data->'payload'->>'status' = 'completed'
) ended FULL JOIN (SELECT payload->>'turn_id' AS turn_id FROM outbox_outboxmessage) told USING (turn_id)
WHERE ended.turn_id IS NULL OR told.turn_id IS NULL
""",
    "turns whose row and whose log differ": """
SELECT turn.id, turn.status, logged.types FROM turns_turn turn FULL JOIN (
    SELECT data->'payload'->>'turn_id' AS turn_id, array_agg(type ORDER BY seq) AS types FROM session_events
    WHERE type IN ('turn.started', 'turn.ended') GROUP BY 1
) logged ON logged.turn_id = turn.id::text
WHERE logged.types IS DISTINCT FROM CASE turn.status
    WHEN 'running' THEN ARRAY['turn.started'] ELSE ARRAY['turn.started', 'turn.ended'] END::varchar[]
""",
    "messages that are not remembered, or remembered and not said": """
SELECT said.id, sent.event_id FROM (SELECT id FROM session_events WHERE type = 'chat.message') said
FULL JOIN turns_sentmessage sent ON sent.event_id = said.id WHERE said.id IS NULL OR sent.event_id IS NULL
""",
}
WRITTEN = """
SELECT (SELECT count(*) FROM session_events) AS events, (SELECT count(*) FROM outbox_wake) AS wakes,
       (SELECT count(*) FROM outbox_outboxmessage) AS messages
"""
SESSIONS = "SELECT id FROM agent_sessions_session"


@pytest.mark.timeout(0)
def test_a_writer_that_is_told_to_go_leaves_all_of_a_commit_or_nothing(
    committed: None, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """The number of SIGTERMs is `make chaos TERMS=200`."""
    count, seed = request.config.getoption("--terms"), request.config.getoption("--seed") or int(time.time())
    place = new_place()
    command = [sys.executable, "-m", "tests.chaos.writers", str(count), str(seed)]
    told = subprocess.check_output([*command, str(place.project_id), str(place.user_id)], cwd=ROOT)
    ledger = Ledger(SERVICES.cluster.owner_url)
    found = [f"{what}: {row}" for what, query in OTHERWISE.items() for row in ledger.ask(query)]
    found += [word for row in ledger.ask(SESSIONS) for word in _broken(ledger, row["id"])]
    figures = {"terms": int(told), "seed": seed, **ledger.ask(WRITTEN)[0], "complaints": len(found)}
    RESULTS["terminations"] = figures
    with capsys.disabled():
        print("\n".join(["", *found, json.dumps(figures)]), flush=True)  # noqa: T201
    assert found == []
    assert int(told) == count
    assert figures["wakes"] >= count


def _broken(ledger: Ledger, session_id: UUID) -> list[str]:
    links = [Link(row["seq"], row["canonical"], bytes(row["hash"])) for row in ledger.ask(LINKS, session_id)]
    head = ledger.ask(HEAD, session_id)[0]
    broken = verify(Start(genesis(session_id)), links, head["next_seq"], bytes(head["head_hash"]))
    return [f"{session_id}: seq {broken.seq} is {broken.what}"] if broken else []
