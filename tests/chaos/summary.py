"""What a campaign measured, for people and as one line of JSON for programs."""

import statistics
from collections.abc import Sequence
from typing import Any

from tests.chaos.campaign import Campaign

RESULTS: dict[str, Any] = {}
"""What the tests of a run measured, by name: the last line of `make chaos`."""


def figures(campaign: Campaign) -> dict[str, Any]:
    """All that is worth comparing with the last time."""
    tally, takeovers = campaign.tally, campaign.takeovers
    return {
        "seed": campaign.seed,
        "rounds": tally.rounds,
        "strikes": dict(sorted(tally.strikes.items())),
        "missed": dict(sorted(tally.missed.items())),
        "stories": tally.stories,
        "turns": tally.turns,
        "events": tally.events,
        "provider_requests": tally.calls,
        "calls_repeated": tally.repeats,
        "continues": tally.continues,
        "bad_ends": dict(tally.bad_ends),
        "errors": dict(tally.errors),
        "server_errors": len(tally.server_errors),
        "takeover_s": spread(takeovers.seconds),
        "takeover_alone_s": spread(takeovers.alone_seconds),
        "restart_s": {name: spread(values) for name, values in sorted(tally.restarts.items())},
        "turn_start_ms": spread(tally.start_ms),
        "turn_start_hurt_ms": spread(tally.hurt_start_ms),
        "complaints": len(tally.complaints),
    }


def spread(values: Sequence[float]) -> dict[str, float] | None:
    """Count, median, 95th percentile and maximum."""
    if not values:
        return None
    ordered = sorted(values)
    return {
        "n": len(ordered),
        "p50": round(statistics.median(ordered), 2),
        "p95": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 2),
        "max": round(ordered[-1], 2),
    }


def told(campaign: Campaign) -> str:
    """The figures one a line; they go into the run's JSON too."""
    found = figures(campaign)
    RESULTS.update(found)
    lines = [f"  {name:18} {value}" for name, value in found.items()]
    return "\n".join(["", *lines, *campaign.tally.complaints])
