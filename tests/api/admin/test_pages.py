"""Every list and every row opens for operators, in few queries, shows no secret and lets nobody change history."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from api.rooms.accounts.models import User
from api.rooms.accounts.services import issue_token
from api.rooms.agent_sessions.models import SessionEvent
from api.rooms.gateway.models import Call, Credential
from api.rooms.kernel.admin import MAX_COUNTED
from api.rooms.kernel.ids import new_id
from api.rooms.outbox import services as outbox
from tests.api.admin.conftest import signed_in, staff
from tests.factories.conversation import say
from tests.factories.places import Place, new_place
from tests.factories.workers import running

MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
HISTORY = [model for model in MODELS if model._meta.label != "accounts.User"]


def url_of(model: Any, page: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def one_of_much() -> Place:
    place = new_place()
    say(place)
    worker = running(place.session_id)
    worker.answer()
    issue_token(place.user_id, "token")
    outbox.put("test", {"session_id": str(place.session_id)})
    outbox.wake(new_id(), "creative", 1)
    return place


def queries_of(client: Client, url: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(url).status_code == 200
    return len(captured)


def test_a_list_takes_as_many_queries_for_three_of_each_as_for_one(root: Client) -> None:
    one_of_much()
    urls = [url_of(model, "changelist") for model in MODELS]
    for url in urls:
        root.get(url)
    one = {url: queries_of(root, url) for url in urls}
    one_of_much()
    one_of_much()
    assert {url: queries_of(root, url) for url in urls} == one


TERMS = ("5f", "nothing \x00 here", "00000000-0000-0000-0000-000000000000", "%_'\"", "9" * 300)


def test_any_search_is_answered(root: Client) -> None:
    for model in MODELS:
        url = url_of(model, "changelist")
        assert (model, [root.get(url, {"q": term}).status_code for term in TERMS]) == (model, [200] * len(TERMS))


def test_every_row_opens(root: Client) -> None:
    one_of_much()
    for model, row in rows_of(MODELS):
        assert (model, root.get(url_of(model, "change", row.pk)).status_code) == (model, 200)


def test_nobody_adds_changes_or_deletes_by_hand(root: Client) -> None:
    one_of_much()
    assert {root.get(url_of(model, "add")).status_code for model in HISTORY} == {403}
    for model, row in rows_of(HISTORY):
        answers = [root.post(url_of(model, page, row.pk), {}).status_code for page in ("change", "delete")]
        assert (model, answers) == (model, [403, 403])


def rows_of(models: list[Any]) -> list[tuple[Any, Any]]:
    found = [(model, model._default_manager.first()) for model in models]
    return [(model, row) for model, row in found if row is not None]


def test_people_are_never_deleted(root: Client, place: Place) -> None:
    assert root.post(url_of(User, "delete", place.user_id), {"post": "yes"}).status_code == 403


def test_nobody_outside_the_staff_gets_in(place: Place) -> None:
    client = signed_in(User.objects.get(id=place.user_id))
    answers = {client.get(url_of(model, "changelist")).status_code for model in MODELS}
    assert answers == {302}


def test_staff_without_a_permission_is_refused(committed: None) -> None:
    client = staff()
    assert {client.get(url_of(model, "changelist")).status_code for model in MODELS} == {403}


def test_no_page_shows_a_key_a_digest_or_a_kept_frame(root: Client, place: Place) -> None:
    secret = "sk-canary-5e0f"
    credential = Credential.objects.create(
        workspace_id=place.workspace_id, provider="openai_compatible", sealed=secret, has_secret=True
    )
    call = Call.objects.create(
        id=new_id(), instance_id=new_id(), step=1, call=0, attempt=1, epoch=1, session_id=place.session_id,
        project_id=place.project_id, workspace_id=place.workspace_id, turn_id=new_id(), agent="creative",
        is_for_people=True, provider="openai_compatible", model="m", binding_origin="workspace", body_bytes=1,
        max_output_tokens=1, kept_frame=secret, text=secret, wire_ids=[secret],
    )  # fmt: skip
    for row in (credential, call):
        pages = (url_of(type(row), "changelist"), url_of(type(row), "change", row.pk))
        assert [secret in root.get(page).content.decode() for page in pages] == [False, False]


def test_a_session_s_rows_are_found_by_its_id(root: Client, place: Place) -> None:
    say(place)
    say(new_place())
    listed = root.get(url_of(SessionEvent, "changelist"), {"q": str(place.session_id)})
    assert {row.session_id for row in listed.context["cl"].result_list} == {place.session_id}


def test_no_list_counts_or_loads_a_whole_log(root: Client, place: Place) -> None:
    fill(place.session_id, 100_000)
    with CaptureQueriesContext(connection) as captured:
        listed = root.get(url_of(SessionEvent, "changelist"))
    assert (listed.status_code, listed.context["cl"].result_count) == (200, MAX_COUNTED)
    statements = [query["sql"] for query in captured if "session_events" in query["sql"]]
    assert [statement for statement in statements if "LIMIT" not in statement] == []
    assert max(float(query["time"]) for query in captured) < 0.5


def fill(session_id: UUID, count: int) -> None:
    """Rows as fast as the database takes them; their chain is of no account here."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO session_events (id, session_id, seq, type, actor_kind, actor_id, created_at, canonical, hash) "
            "SELECT gen_random_uuid(), %s, n, 'artifact.note', 'system', 'test', now(), '{}', '' "
            "FROM generate_series(1000, %s) AS n",
            [session_id, 999 + count],
        )
        cursor.execute("ANALYZE session_events")
