"""A session's life: opened once, named by people, closed for a reason, and nobody else's."""

from collections.abc import Callable
from itertools import product
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction

from api.rooms.agent_sessions import selectors as sessions
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.models import Session
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.handoffs import services as handoffs
from api.rooms.kernel.ids import new_id
from api.rooms.projects import selectors as projects
from api.rooms.turns import services as turns
from api.surfaces import access
from contracts.problem import ProblemCode
from contracts.vocabulary import Role, SessionStatus, TerminationReason
from tests.api.rooms.refused import refusal_code
from tests.factories.conversation import events_of, say, types_of
from tests.factories.places import Place, new_member, new_place
from tests.factories.workers import Worker, instance_of, running

CREATED, ACTIVE, CLOSING, CLOSED, ABNORMAL = SessionStatus
ALLOWED = {(CREATED, ACTIVE), (CREATED, ABNORMAL), (ACTIVE, CLOSING), (ACTIVE, ABNORMAL), (CLOSING, CLOSED)}
ALLOWED |= {(CLOSING, ABNORMAL)}


def test_a_session_is_opened_active_with_one_event(place: Place) -> None:
    """RN_067."""
    assert sessions.session(place.session_id).status is ACTIVE
    assert types_of(place.session_id) == ["session.opened"]


@pytest.mark.parametrize(("current", "wanted"), list(product(SessionStatus, SessionStatus)))
def test_every_pair_of_the_state_machine(place: Place, current: SessionStatus, wanted: SessionStatus) -> None:
    """RN_001: any other pair is refused and nothing is written."""
    Session.objects.filter(id=place.session_id).update(status=current)
    facts = agent_sessions.lock(place.session_id)
    if (current, wanted) in ALLOWED:
        agent_sessions.move(facts, wanted)
    else:
        assert refusal_code(lambda: agent_sessions.move(facts, wanted)) is ProblemCode.INVALID_TRANSITION
    row = Session.objects.get(id=place.session_id)
    assert row.status == (wanted if (current, wanted) in ALLOWED else current)
    is_ended_now = (current, wanted) in ALLOWED and wanted in (CLOSED, ABNORMAL)
    assert (row.closed_at is not None) is is_ended_now


@pytest.mark.parametrize("reason", TerminationReason)
def test_closing_stores_a_reason_of_the_closed_set(place: Place, reason: TerminationReason) -> None:
    """RN_023."""
    agent_sessions.close(agent_sessions.lock(place.session_id), user_actor(place.user_id), reason)
    row = Session.objects.get(id=place.session_id)
    assert (row.status, row.termination_reason) == (CLOSED, reason)
    assert events_of(place.session_id)[-1].payload.model_dump() == {
        "type": "session.closed",
        "status": CLOSED,
        "reason": reason,
    }


def test_the_database_knows_no_other_reason(place: Place) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Session.objects.filter(id=place.session_id).update(termination_reason="tired")


def test_closing_stops_the_turn_first(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    turns.close_session(place.session_id, place.user_id)
    assert types_of(place.session_id)[-4:] == ["agent.error", "turn.ended", "turn.stop_receipt", "session.closed"]
    assert refusal_code(worker.answer) is ProblemCode.STOPPED


def test_closing_twice_is_one_closing(place: Place) -> None:
    turns.close_session(place.session_id, place.user_id)
    turns.close_session(place.session_id, place.user_id)
    assert types_of(place.session_id).count("session.closed") == 1


def test_after_closing_no_agent_works_on(place: Place) -> None:
    message = say(place)
    worker = Worker(instance_of(place.session_id).id)
    assert worker.claim() is not None
    turns.close_session(place.session_id, place.user_id)
    assert refusal_code(lambda: worker.take(message.seq)) is ProblemCode.STOPPED
    assert worker.release()
    assert worker.claim() is None


def acts(place: Place) -> dict[str, Callable[[], object]]:
    session_id, user_id = place.session_id, place.user_id
    return {
        "message": lambda: say(place),
        "continue": lambda: turns.continue_turn(session_id, user_id),
        "start": lambda: turns.start_agent(session_id, user_id, "creative", has_accepted_handoff=False),
        "readiness": lambda: handoffs.confirm_readiness(session_id, user_id),
        "answers": lambda: turns.answer_questions(session_id, user_id, new_id(), {}),
    }


@pytest.mark.parametrize("status", [CREATED, CLOSING, CLOSED, ABNORMAL])
@pytest.mark.parametrize("act", ["message", "continue", "start", "readiness", "answers"])
def test_only_an_active_session_can_be_worked_in(place: Place, act: str, status: SessionStatus) -> None:
    Session.objects.filter(id=place.session_id).update(status=status)
    assert refusal_code(acts(place)[act]) is ProblemCode.SESSION_ENDED
    assert types_of(place.session_id) == ["session.opened"]


@pytest.mark.parametrize(("name", "kept"), [("  Feira ", "Feira"), ("x" * 80, "x" * 80), ("  ", None), (None, None)])
def test_a_name_is_trimmed_and_a_blank_one_removed_without_an_event(
    place: Place, name: str | None, kept: str | None
) -> None:
    """RN_098."""
    agent_sessions.rename(place.session_id, "Before")
    agent_sessions.rename(place.session_id, name)
    assert sessions.session(place.session_id).name == kept
    assert types_of(place.session_id) == ["session.opened"]


@pytest.mark.parametrize("name", ["x" * 81, "NUL \x00", "half \ud800"])
def test_a_name_that_cannot_be_kept_is_refused(place: Place, name: str) -> None:
    assert refusal_code(lambda: agent_sessions.rename(place.session_id, name)) is ProblemCode.INVALID_BODY


def test_sessions_are_listed_last_used_first_and_without_deleted_ones(committed: None) -> None:
    place = new_place()
    first, second, deleted = place, place.another_session(), place.another_session()
    Session.objects.filter(id=deleted.session_id).update(deleted_at="2026-01-01T00:00:00Z")
    say(first)
    listed = [card.id for card in sessions.sessions_of(place.project_id)]
    assert listed == [first.session_id, second.session_id]


def looks(user_id: UUID, place: Place) -> dict[str, Callable[[], object]]:
    return {
        "workspace": lambda: access.workspace(user_id, place.workspace_id, Role.VIEWER),
        "project": lambda: access.project(user_id, place.project_id, Role.VIEWER),
        "session": lambda: access.session(user_id, place.session_id, Role.VIEWER),
        "event": lambda: access.session_of_event(user_id, events_of(place.session_id)[0].id, Role.VIEWER),
    }


@pytest.mark.parametrize("look", ["workspace", "project", "session", "event"])
def test_what_is_another_tenants_does_not_exist(place: Place, look: str) -> None:
    assert refusal_code(looks(new_place().user_id, place)[look]) is ProblemCode.NOT_FOUND


def test_a_member_sees_what_the_workspace_holds(place: Place) -> None:
    viewer = new_member(place, Role.VIEWER)
    assert [card.id for card in projects.projects_of(viewer)] == [place.project_id]
    assert access.session(viewer, place.session_id, Role.VIEWER).session.id == place.session_id


@pytest.mark.parametrize(("role", "needed"), list(product(Role, Role)))
def test_a_role_covers_itself_and_what_is_weaker(place: Place, role: Role, needed: Role) -> None:
    member = new_member(place, role)
    order = [Role.VIEWER, Role.DEVELOPER, Role.MAINTAINER, Role.OWNER]
    if order.index(role) >= order.index(needed):
        assert access.session(member, place.session_id, needed).project.role is role
    else:
        assert refusal_code(lambda: access.session(member, place.session_id, needed)) is ProblemCode.FORBIDDEN
