"""R8: a client that does not read costs the api a bounded buffer and nobody else anything."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import psutil
import pytest

from api.server import CLOSE_RESUME
from tests.fakes.impatient import serving
from tests.fakes.raw_socket import SMALLEST, ClosedError, RawSocket
from tests.plugins.stack import wait_until

STALL_S = 1.0
MEGABYTE = 1_000_000
SLOW_CLIENTS = 5
TICKS = 75


@dataclass(frozen=True)
class Served:
    port: int
    process: psutil.Process

    def resident_bytes(self) -> int:
        resident: int = self.process.memory_info().rss
        return resident

    def tick_delays_s(self) -> list[float]:
        """How late each of a well-behaved client's messages comes."""
        client = RawSocket.open(self.port, "/tick")
        delays = [time.time() - float(client.text()) for _ in range(TICKS)]
        client.close()
        return sorted(delays)


@pytest.fixture
def served() -> Iterator[Served]:
    with serving("tests.fakes.flooding:application", "/", STALL_S, 3 * STALL_S) as (port, process):
        yield Served(port, process)


def test_who_reads_nothing_is_bounded_closed_with_resume_and_slows_nobody(served: Served) -> None:
    quiet = served.tick_delays_s()
    before = served.resident_bytes()
    slow = [RawSocket.open(served.port, "/flood", recv_bytes=SMALLEST) for _ in range(SLOW_CLIENTS)]
    beside = served.tick_delays_s()
    assert served.resident_bytes() - before < SLOW_CLIENTS * MEGABYTE
    assert beside[TICKS * 95 // 100] < quiet[TICKS * 95 // 100] + 0.05
    assert [everything_of(each).code for each in slow] == [CLOSE_RESUME] * SLOW_CLIENTS
    counted = httpx.get(f"http://127.0.0.1:{served.port}/metrics", trust_env=False).text
    assert f"mutirao_sockets_slow_total {SLOW_CLIENTS}.0" in counted


def test_who_reads_slowly_but_reads_is_kept(served: Served) -> None:
    client = RawSocket.open(served.port, "/flood", recv_bytes=SMALLEST)
    until = time.monotonic() + 2 * STALL_S
    read = 0
    while time.monotonic() < until:
        read += len(client.text())
        time.sleep(0.01)
    assert read > MEGABYTE
    client.close()


def test_who_never_reads_again_is_cut(served: Served) -> None:
    """The close frame waits behind what is unread; the connection ends without it."""
    client = RawSocket.open(served.port, "/flood", recv_bytes=SMALLEST)
    time.sleep(0.2)
    assert connections(served) == 1
    wait_until(lambda: connections(served) == 0, 5 * STALL_S + 2)
    client.close()


def connections(served: Served) -> int:
    return sum(each.status == psutil.CONN_ESTABLISHED for each in served.process.net_connections("tcp"))


def everything_of(client: RawSocket) -> ClosedError:
    with pytest.raises(ClosedError) as closed:  # noqa: PT012 - whatever comes before the end
        while True:
            client.text()
    return closed.value
