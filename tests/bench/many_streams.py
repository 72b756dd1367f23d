"""Concurrent five-second answers through the whole house, some of them watched."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import psycopg

from tests.bench.clocks import rss_bytes
from tests.bench.running_house import WORKERS, RunningHouse
from tests.bench.sizes import STREAM_SECONDS, STREAMS, TOKENS_A_SECOND, WATCHERS
from tests.bench.sockets import Watcher
from tests.system.person import Person, Talk

SENDERS = 8
GRACE_S = 40.0
COMPLETED = "SELECT count(*) FROM turns_turn WHERE session_id = ANY(%s) AND status = 'completed'"


@dataclass(frozen=True)
class Crowd:
    """`kb_each` is the growth of api and engine at its height."""

    completed: int
    kb_each: float
    late_ms: list[float]


def run(house: RunningHouse) -> Crowd:
    project_id = house.project()
    people = [Person(house.stack) for _ in range(SENDERS)]
    with ThreadPoolExecutor(SENDERS) as senders:
        who = [people[number % SENDERS] for number in range(STREAMS)]
        talks = list(senders.map(lambda person: person.open_session(project_id, "consultative"), who))
        return asyncio.run(_run(house, talks, senders))


async def _run(house: RunningHouse, talks: list[Talk], senders: ThreadPoolExecutor) -> Crowd:
    token = house.stack.run["token"]
    watchers = [Watcher(house.stack.port, token, talk.session_id) for talk in talks[:WATCHERS]]
    watching = [asyncio.create_task(watcher.watch()) for watcher in watchers]
    await asyncio.sleep(1)
    processes = house.processes("api", "engine-http", *WORKERS)
    before = height = rss_bytes(processes)
    asked = f"@stamped {round(STREAM_SECONDS * TOKENS_A_SECOND)} {1000 / TOKENS_A_SECOND} @"
    loop = asyncio.get_running_loop()
    sending = [loop.run_in_executor(senders, talk.say, asked) for talk in talks]
    ids, completed = [talk.session_id for talk in talks], 0
    deadline = time.monotonic() + STREAM_SECONDS + GRACE_S
    while completed < len(ids) and time.monotonic() < deadline:
        await asyncio.sleep(0.5)
        height = max(height, rss_bytes(processes))
        completed = await asyncio.to_thread(_completed, house.owner_url, ids)
    await asyncio.gather(*sending)
    refused = [task for task in watching if task.done()]
    for task in watching:
        task.cancel()
    await asyncio.gather(*refused)  # a socket that ended by itself says why
    late = [late_ms for watcher in watchers for late_ms in watcher.late_ms]
    return Crowd(completed, (height - before) / len(talks) / 1024, late)


def _completed(owner_url: str, ids: list[str]) -> int:
    with psycopg.connect(owner_url) as database:
        row = database.execute(COMPLETED, [ids]).fetchone()
    return int(row[0]) if row else 0
