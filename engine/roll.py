"""Which workers there are and what they run, told through the broker where that is Redis: a hint for operators.

A worker has no door of its own. It says every few seconds how it is, and who said nothing for a while is not counted.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass
from uuid import UUID

import redis

ROLL = "engine:workers"
TELL_SECONDS = 5.0
FORGET_SECONDS = 16
ANSWER_SECONDS = 1.0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Told:
    """`running` counts activations, those that wait for a lease included; `leased` those that have one."""

    slots: int
    running: int
    leased: int
    is_draining: bool


class Roll:
    """Blocking: call it in a thread."""

    def __init__(self, broker_url: str) -> None:
        self._server = redis.Redis.from_url(
            broker_url,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            decode_responses=True,
        )

    def tell(self, boot_id: UUID, told: Told) -> None:
        """Raises `redis.RedisError` when the server is away."""
        with self._server.pipeline() as pipe:
            pipe.set(_key(str(boot_id)), json.dumps(asdict(told)), ex=FORGET_SECONDS)
            pipe.sadd(ROLL, str(boot_id))
            pipe.execute()

    def read(self) -> list[Told]:
        """Everybody who told lately; the others are taken off the roll. Raises `redis.RedisError`."""
        names = sorted(str(name) for name in self._server.smembers(ROLL))
        told = self._server.mget([_key(name) for name in names]) if names else []
        silent = [name for name, text in zip(names, told, strict=True) if text is None]
        if silent:
            self._server.srem(ROLL, *silent)
        return [Told(**json.loads(text)) for text in told if text is not None]


def _key(boot_id: str) -> str:
    return f"engine:worker:{boot_id}"


def at(broker_url: str) -> Roll | None:
    """The roll at this broker; none where it is not Redis."""
    return Roll(broker_url) if broker_url.startswith(("redis://", "rediss://", "unix://")) else None


async def tell_for_ever(roll: Roll, boot_id: UUID, look: Callable[[], Told]) -> None:
    """Until the process ends. One line when the server goes away and one when it is back, not one each time."""
    was_heard = True
    while True:
        try:
            await asyncio.to_thread(roll.tell, boot_id, look())
        except redis.RedisError as error:
            if was_heard:
                log.warning("operators are not told what runs here: %s", error)
            was_heard = False
        else:
            if not was_heard:
                log.info("operators are told again what runs here")
            was_heard = True
        await asyncio.sleep(TELL_SECONDS)
