"""Hints leave in their order, many at once, and none of them can fail whoever gives it."""

import asyncio
import threading
from typing import Any

from channels.layers import get_channel_layer

from api.rooms.kernel import hints
from api.rooms.kernel.hints import Hint, Lines, Publisher

PATIENCE_S = 5.0


class Slow(Lines):
    """Holds its first message until it is let go; the second fails, as it does while Valkey is away."""

    def __init__(self) -> None:
        self.sent: list[list[str]] = []
        self.holds, self.is_held, self.went = threading.Event(), threading.Event(), threading.Semaphore(0)

    def send(self, hints: list[tuple[str, Hint]]) -> None:
        self.sent.append([group for group, _ in hints])
        if len(self.sent) == 1:
            self.is_held.set()
            self.holds.wait(PATIENCE_S)
        self.went.release()
        if len(self.sent) == 2:
            raise ConnectionError("away")


def test_what_comes_while_one_is_sent_goes_out_together_and_a_failure_costs_only_itself() -> None:
    lines = Slow()
    publisher = Publisher(lambda: lines)
    publisher.put("first", {})
    assert lines.is_held.wait(PATIENCE_S)
    for number in range(3):
        publisher.put(str(number), {})
    lines.holds.set()
    assert all(lines.went.acquire(timeout=PATIENCE_S) for _ in range(2))
    publisher.put("last", {})
    assert lines.went.acquire(timeout=PATIENCE_S)
    assert lines.sent == [["first"], ["0", "1", "2"], ["last"]]


def test_no_more_than_a_bounded_number_waits() -> None:
    lines = Slow()
    publisher = Publisher(lambda: lines)
    publisher.put("first", {})
    assert lines.is_held.wait(PATIENCE_S)
    for number in range(hints.MAX_WAITING + 10):
        publisher.put(str(number), {})
    lines.holds.set()
    for _ in range(1 + hints.MAX_WAITING // hints.MAX_TOGETHER):
        assert lines.went.acquire(timeout=PATIENCE_S)
    assert sum(len(together) for together in lines.sent) == 1 + hints.MAX_WAITING


async def test_hints_reach_the_channel_layer_in_their_order() -> None:
    layer: Any = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("test.order", channel)

    def say_all() -> None:
        for number in range(50):
            hints.publish("test.order", {"type": "session.message", "text": str(number)})

    await asyncio.to_thread(say_all)
    assert [(await layer.receive(channel))["text"] for _ in range(50)] == [str(number) for number in range(50)]
