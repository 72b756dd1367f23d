"""F2: paging is total and stable, also while the log grows."""

import json
import threading

import pytest
from django.db import connections, transaction

from api.rooms.agent_sessions import selectors as sessions
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.models import SessionEvent
from contracts.artifacts import Note
from contracts.events import Actor
from contracts.vocabulary import ActorKind
from tests.api.rest.caller import Caller, caller_of
from tests.factories.places import Place, new_place

SYSTEM = Actor(kind=ActorKind.SYSTEM, id="test")
EVENTS, MORE = 1_200, 50


def grow(place: Place, count: int) -> None:
    for number in range(count):
        with transaction.atomic():
            agent_sessions.append(place.session_id, SYSTEM, Note(title=f"{number}", body="x"))


def grow_and_leave(place: Place) -> None:
    """In a thread of its own, which gives its connection back."""
    grow(place, MORE)
    connections.close_all()


def grow_at_once(place: Place, count: int) -> None:
    with transaction.atomic():
        grow(place, count)


def read_through_the_room(place: Place) -> list[str]:
    """One by one, without HTTP's cost for each."""
    found, after, has_more = list[str](), 0, True
    while has_more:
        page = sessions.raw_events(place.session_id, after, 1)
        event = json.loads(page.texts[0])
        found, after, has_more = [*found, event["id"]], event["seq"], page.has_more
    return found


def read_all(caller: Caller, place: Place, size: int) -> list[str]:
    """Ids in the order of reading, page after page, until there is no more."""
    found, after, has_more = list[str](), 0, True
    while has_more:
        path = f"/api/v1/sessions/{place.session_id}/events?after={after}&limit={size}"
        page = json.loads(caller.send("GET", path).content)
        found += [event["id"] for event in page["events"]]
        after, has_more = page["events"][-1]["seq"], page["has_more"]
        assert len(page["events"]) == size or not has_more
    return found


@pytest.mark.slow
def test_every_page_size_reads_each_event_once_while_fifty_more_arrive(committed: None) -> None:
    place = new_place()
    grow_at_once(place, EVENTS - 1)
    caller = caller_of(place.user_id)
    for size in (1, 7, 50, 1000):
        before = SessionEvent.objects.count()
        writer = threading.Thread(target=grow_and_leave, args=(place,))
        writer.start()
        found = read_through_the_room(place) if size == 1 else read_all(caller, place, size)
        writer.join()
        ids = [str(event_id) for event_id in SessionEvent.objects.order_by("seq").values_list("id", flat=True)]
        assert found == ids[: len(found)]
        assert before <= len(found) <= before + MORE


def test_a_page_tells_the_head_and_whether_there_is_more(db: None) -> None:
    place = new_place()
    grow(place, 4)
    caller = caller_of(place.user_id)
    pages = {}
    for after in (0, 3, 5, 99):
        path = f"/api/v1/sessions/{place.session_id}/events?after={after}&limit=2"
        page = json.loads(caller.send("GET", path).content)
        pages[after] = [event["seq"] for event in page["events"]], page["has_more"], page["head_seq"]
    assert pages == {0: ([1, 2], True, 5), 3: ([4, 5], False, 5), 5: ([], False, 5), 99: ([], False, 5)}
