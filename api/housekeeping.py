"""What is done each day, whoever asks: above the rooms, which each know what of theirs has served."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings

from api.rooms.agent_sessions.anchoring import write_anchor
from api.rooms.agents.services.answers import prune_answers
from api.rooms.gateway import services as gateway
from api.rooms.gateway.services.pruning import prune_calls
from api.rooms.handoffs import services as handoffs
from api.rooms.kernel.batches import in_batches
from api.rooms.outbox.letters import prune as prune_messages

DEFAULT_DAYS = 30
EACH_DAY, EACH_MINUTE = timedelta(days=1), timedelta(minutes=1)
ENDED_SQL = "FROM django_session WHERE expire_date < now()"


def prune(age: timedelta = timedelta(days=DEFAULT_DAYS), *, is_dry: bool = False) -> dict[str, int]:
    """How many rows, by what they were. Answers and sign-ins have ends of their own."""
    return {
        "delivered and discarded messages": prune_messages(age, is_dry=is_dry),
        "kept answers past their window": prune_answers(is_dry=is_dry),
        "texts of ended calls": prune_calls(age, is_dry=is_dry),
        "sign-ins that ran out": in_batches("DELETE", "django_session", "session_key", ENDED_SQL, {}, is_dry=is_dry),
    }


def _prune() -> str:
    return ", ".join(f"{name}: {count}" for name, count in prune().items())


def _anchor() -> str:
    folder, key = settings.ENVIRONMENT.mutirao_anchor_folder, settings.ENVIRONMENT.mutirao_anchor_key
    if not folder or not key:
        return "no anchor: MUTIRAO_ANCHOR_FOLDER and MUTIRAO_ANCHOR_KEY are not set"
    return str(write_anchor(Path(folder), key.encode()))


def _arrivals() -> str:
    return f"owed activations that began: {handoffs.honour_owed()}"


@dataclass(frozen=True)
class Chore:
    """`run` says in a line what it did."""

    name: str
    every: timedelta
    run: Callable[[], str]


CHORES: tuple[Chore, ...] = (
    Chore("prune", EACH_DAY, _prune),
    Chore("anchor", EACH_DAY, _anchor),
    Chore("arrivals", EACH_MINUTE, _arrivals),
    Chore("catalogue", timedelta(seconds=settings.ENVIRONMENT.mutirao_catalogue_sync_seconds), gateway.sync_all),
)
