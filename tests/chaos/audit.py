"""The accounts of a session and of the whole house: what was bought, what was flagged, what is still held."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from contracts.events import LogEvent
from tests.chaos import oracle
from tests.chaos.ledger import Ledger, Row

CALLS = "SELECT * FROM gateway_call WHERE session_id = %s ORDER BY instance_id, step, call, attempt"
HOLDS = """
SELECT h.id, h.status, h.instance_id, h.step, h.call, h.attempt, count(u.id) AS usages
FROM budgets_hold h LEFT JOIN budgets_tokenusage u ON u.hold_id = h.id WHERE h.session_id = %s GROUP BY h.id
"""
NODES = """
SELECT n.id, n.kind, n.held_micros, n.spent_micros,
       (SELECT coalesce(sum(cost_micros), 0) FROM budgets_tokenusage u
        WHERE n.id IN (u.session_id, u.project_id, u.workspace_id)) AS used_micros
FROM budgets_node n
"""
STRAYS = """
SELECT (SELECT count(*) FROM outbox_outboxmessage WHERE dead_at IS NOT NULL) AS dead_letters,
       (SELECT count(*) FROM (SELECT turn_id FROM gateway_call GROUP BY turn_id HAVING bool_or(status = 'open')) t)
           AS turns_with_open_calls
"""


def of_session(ledger: Ledger, session_id: str, events: Sequence[LogEvent], asked: int) -> list[str]:
    """`asked` is how often the session's model was asked, as the model's server counted."""
    calls = ledger.ask(CALLS, session_id)
    found = [*_flags(calls, events), *_bought(calls, asked), *_one_usage_each(ledger.ask(HOLDS, session_id), calls)]
    return [f"{session_id}: {word}" for word in found]


def _flags(calls: Sequence[Row], events: Sequence[LogEvent]) -> list[str]:
    """A call that was bought again is flagged on its row and in the log; nothing else is."""
    flagged = Counter((row["turn_id"], row["attempt"]) for row in calls if row["is_repeated"])
    told = Counter(oracle.repeats(events))
    found = [] if flagged == told else [f"repeated calls: rows {dict(flagged)}, log {dict(told)}"]
    by_key: dict[tuple[str, int, int], list[Row]] = defaultdict(list)
    for row in calls:
        by_key[str(row["instance_id"]), row["step"], row["call"]].append(row)
    for key, rows in by_key.items():
        bought = [row for row in rows if row["status"] != "released"]
        unflagged = [row["attempt"] for row in bought[1:] if not row["is_repeated"]]
        found += [f"call {key}: attempts {unflagged} were bought again without a flag"] if unflagged else []
        found += [f"call {key} was settled {n} times"] if (n := _settled(rows)) > 1 else []
    return found


def _settled(rows: Sequence[Row]) -> int:
    return sum(row["status"] == "settled" for row in rows)


def _bought(calls: Sequence[Row], asked: int) -> list[str]:
    """Nothing reaches the provider without a hold."""
    sent = sum(row["status"] != "released" for row in calls)
    return [f"the provider was asked {asked} times for {sent} calls"] if asked > sent else []


def _one_usage_each(holds: Sequence[Row], calls: Sequence[Row]) -> list[str]:
    found = []
    for hold in holds:
        wanted = 0 if hold["status"] == "released" else 1
        if hold["status"] == "open" or hold["usages"] != wanted:
            found.append(f"hold {hold['id']} is {hold['status']} with {hold['usages']} usage rows")
    orphans = {str(row["id"]) for row in calls} ^ {str(hold["id"]) for hold in holds}
    return found + ([f"calls and holds differ by {sorted(orphans)}"] if orphans else [])


def of_house(ledger: Ledger) -> list[str]:
    """At rest: nothing held, counters equal to the rows, nothing dead, nothing open."""
    found = [
        f"{row['kind']} {row['id']}: held {row['held_micros']}, spent {row['spent_micros']}, used {row['used_micros']}"
        for row in ledger.ask(NODES)
        if row["held_micros"] or row["spent_micros"] != row["used_micros"]
    ]
    return found + [f"{count} {name}" for name, count in ledger.ask(STRAYS)[0].items() if count]
