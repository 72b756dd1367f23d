"""A body that is too large is refused while it comes: by its announced length, or by what a chunked one has sent."""

import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from threading import Thread

import psutil
import pytest

from contracts.limits import MAX_INTERNAL_BODY_BYTES
from contracts.problem import Problem, ProblemCode
from tests.fakes.impatient import serving

MEGABYTE = 1_000_000
CHUNK = b"%x\r\n%b\r\n" % (MEGABYTE, b"x" * MEGABYTE)
CHUNKED = b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
def served() -> Iterator[tuple[int, psutil.Process]]:
    with serving("tests.fakes.flooding:application", "/", 1.0, 3.0) as here:
        yield here


def pour(client: socket.socket) -> None:
    """100 MB, or as much as is taken."""
    try:
        for _ in range(100):
            client.sendall(CHUNK)
        client.sendall(b"0\r\n\r\n")
    except OSError:
        return


def answer(client: socket.socket) -> tuple[int, ProblemCode]:
    response = HTTPResponse(client)
    response.begin()
    problem = Problem.model_validate_json(response.read())
    assert response.headers["X-Request-ID"] == problem.request_id != ""
    return response.status, problem.code


def test_a_chunked_body_without_end_is_refused_and_kept_nowhere(served: tuple[int, psutil.Process]) -> None:
    port, process = served
    before_bytes, written_bytes = process.memory_info().rss, process.io_counters().write_chars
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        client.sendall(CHUNKED)
        pouring = Thread(target=pour, args=(client,))
        pouring.start()
        assert answer(client) == (413, ProblemCode.TOO_LARGE)
        pouring.join()
    assert process.memory_info().rss - before_bytes < 3 * MAX_INTERNAL_BODY_BYTES
    assert process.io_counters().write_chars - written_bytes < 1.5 * MAX_INTERNAL_BODY_BYTES


def test_an_announced_length_that_is_too_large_is_refused_before_the_body(served: tuple[int, psutil.Process]) -> None:
    port, _ = served
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        length = MAX_INTERNAL_BODY_BYTES + 1
        client.sendall(b"POST / HTTP/1.1\r\nHost: here\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n" % length)
        assert answer(client) == (413, ProblemCode.TOO_LARGE)


def test_the_largest_body_is_taken_and_the_connection_kept(served: tuple[int, psutil.Process]) -> None:
    port, _ = served
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    bodies = []
    for _ in range(2):
        connection.request("POST", "/", body=iter([b"x" * MAX_INTERNAL_BODY_BYTES]), encode_chunked=True)
        bodies.append(connection.getresponse().read())
    assert bodies == [b"ready", b"ready"]
