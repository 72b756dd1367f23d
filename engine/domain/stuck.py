"""Whether a model goes round in circles: the same moves with the same results."""

import contextlib
import hashlib
import json

REPEATS = 3
PERIODS = (1, 2)
"""1: the same move again and again (also the same text, a monologue); 2: ping-pong between two moves."""
MAX_MOVES = REPEATS * max(PERIODS)


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def did(tool: str, arguments: str, result: str) -> str:
    """A tool call and what came of it; the same refusal of other arguments is another move."""
    with contextlib.suppress(ValueError, RecursionError):
        arguments = json.dumps(json.loads(arguments), sort_keys=True)
    return _digest("did", tool, arguments, result)


def said(text: str) -> str:
    """A text without any action."""
    return _digest("said", " ".join(text.split()))


def remember(moves: tuple[str, ...], move: str) -> tuple[str, ...]:
    """The moves that still matter."""
    return (*moves, move)[-MAX_MOVES:]


def is_stuck(moves: tuple[str, ...]) -> bool:
    """Whether the latest moves are one cycle, repeated three times."""
    return any(_repeats(moves, period) for period in PERIODS)


def _repeats(moves: tuple[str, ...], period: int) -> bool:
    latest = moves[-REPEATS * period :]
    return len(latest) == REPEATS * period and latest == latest[:period] * REPEATS
