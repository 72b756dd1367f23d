"""R8: five hundred quick events to pages that do not read: bounded, closed with "resume", and nothing is missing."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest
from django.db import transaction

from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import services as agent_sessions
from api.server import CLOSE_RESUME
from contracts.artifacts import Note
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS
from tests.api.rest.test_paging import SYSTEM
from tests.factories.places import Place, new_place, token_of
from tests.fakes.impatient import serving
from tests.fakes.raw_socket import SMALLEST, ClosedError, RawSocket

STALL_S, CLOSING_S = 2.0, 60.0
EVENTS, PAGES = 500, 10
MEGABYTE = 1_000_000


def grow(place: Place) -> None:
    """As large as events become, as fast as they are committed."""
    body = "x" * MAX_ARTIFACT_TEXT_CHARS
    for number in range(EVENTS):
        with transaction.atomic():
            agent_sessions.append(place.session_id, SYSTEM, Note(title=f"{number}", body=body))


def open_page(port: int, place: Place, after: int = 0, recv_bytes: int = 0) -> RawSocket:
    token = {"Authorization": f"Bearer {token_of(place.user_id)}"}
    return RawSocket.open(port, f"/ws/sessions/{place.session_id}/?after={after}", token, recv_bytes)


def events_of(page: RawSocket, count: int) -> list[str]:
    """The next so many as they came, or those before the server said goodbye."""
    prefix, texts = '{"kind":"event","event":', list[str]()
    while len(texts) < count:
        text = page.text()
        if text.startswith(prefix):
            texts.append(text.removeprefix(prefix)[:-1])
    return texts


def until_closed(page: RawSocket) -> tuple[list[str], int]:
    """What a page that reads at last still gets, and the code of its end."""
    texts = list[str]()
    while True:
        try:
            texts += events_of(page, 1)
        except ClosedError as closed:
            return texts, closed.code


@contextmanager
def watched(process: psutil.Process) -> Iterator[list[int]]:
    """Resident bytes beyond those at the beginning, again and again."""
    over, before, seen = threading.Event(), process.memory_info().rss, list[int]()

    def watch() -> None:
        while not over.wait(0.02):
            seen.append(process.memory_info().rss - before)

    watching = threading.Thread(target=watch)
    watching.start()
    yield seen
    over.set()
    watching.join()


@pytest.mark.parametrize("is_late", [False, True], ids=["while they watch", "before they come"])
def test_pages_that_do_not_read_cost_a_megabyte_each_at_most_and_resume_without_a_gap(
    committed: None, is_late: bool
) -> None:
    place, ended = new_place(), 1 + EVENTS
    with serving("api.asgi:application", "/livez", STALL_S, CLOSING_S) as (port, process):
        if is_late:
            grow(place)
        assert events_of(open_page(port, place), 1)
        with watched(process) as grown_bytes:
            pages = [open_page(port, place, recv_bytes=SMALLEST) for _ in range(PAGES)]
            if not is_late:
                grow(place)
            time.sleep(2 * STALL_S)
        heard = [until_closed(page) for page in pages]
        rest = [events_of(open_page(port, place, len(texts)), ended - len(texts)) for texts, _ in heard]
    complete = list(log.raw_events(place.session_id, 0, ended).texts)
    assert len(complete) == ended
    assert [code for _, code in heard] == [CLOSE_RESUME] * PAGES
    assert [texts + more for (texts, _), more in zip(heard, rest, strict=True)] == [complete] * PAGES
    assert max(len(texts) for texts, _ in heard) < EVENTS
    assert max(grown_bytes) < PAGES * MEGABYTE
