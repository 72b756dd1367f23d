"""The gateway's part of a run: `python -m tests.bench.alone` prints its figures."""

import asyncio
import json
import os

from tests.bench.clocks import OTHER, percentile
from tests.bench.document import GatewayAlone, Rooms
from tests.bench.gateway_process import gateway, upstream
from tests.bench.places import database
from tests.bench.sizes import SECONDS


def measure() -> dict[str, object]:
    os.sched_setaffinity(0, OTHER)
    with database() as services:
        # Django's settings read the environment that the database gives.
        from tests.bench import backlogs, logs, pairs

        with upstream() as upstream_port:
            figures = asyncio.run(_under_load(upstream_port))
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        append_growth, open_growth = logs.growth(services.cluster.owner_url)
        pages = backlogs.milliseconds()
        rooms: Rooms = {
            "budget_pairs_per_s": pairs.per_second(SECONDS),
            "append_ratio": logs.ratio(services.cluster.owner_url),
            "append_growth": append_growth,
            "open_growth": open_growth,
            "backlog_page_ms_p95": pages["backlog"],
            "coverage_page_ms_p95": pages["coverage"],
        }
        return {**figures, **rooms}


async def _under_load(upstream_port: int) -> GatewayAlone:
    from tests.bench import callers, cancelling, first_token, load

    made = await asyncio.to_thread(callers.callers, upstream_port, load.MAX_BEHIND)
    with gateway() as (port, processes):
        added = await first_token.added_ms(port, upstream_port, made[0])
        streams = await load.closed(port, processes, made, is_streamed=True)
        calls = await load.closed(port, processes, made, is_streamed=False)
        share = await load.offered_share(port, made)
        closed = await cancelling.close_ms(port, upstream_port, made)
    return {
        "gateway_added_ttft_ms_p50": percentile(added, 50),
        "gateway_added_ttft_ms_p95": percentile(added, 95),
        "gateway_streams_per_s_core": streams.per_s,
        "gateway_cpu_ms_per_call": calls.cpu_ms,
        "gateway_cpu_ms_per_stream": streams.cpu_ms,
        "gateway_rss_mb": max(streams.rss_mb, calls.rss_mb),
        "gateway_offered_share_16x10ms": share,
        "cancel_close_ms_p95": percentile(closed, 95),
    }


if __name__ == "__main__":
    print(json.dumps(measure()))  # noqa: T201 - this process's answer
