"""What a person does in a conversation."""

from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema

from api.rooms.handoffs import selectors as handoffs
from api.rooms.handoffs import services as deciding
from api.rooms.turns import services as turns
from api.surfaces import access
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.documents import (
    AgentChoice,
    Answers,
    EventBody,
    HandoffBody,
    HandoffList,
    HandTarget,
    NewMessage,
    Rejection,
    Stopped,
)
from api.surfaces.rest.views import Request, View
from contracts.events import LogEvent
from contracts.vocabulary import Role


def _event(event: LogEvent | None, status: int = 202) -> HttpResponse:
    return write(EventBody(event=event), status=status)


class Messages(View):
    @extend_schema(operation_id="send_message", request=NewMessage, responses={202: EventBody})
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        asked = read(request, NewMessage)
        access.session(self.user_id, session_id, Role.DEVELOPER)
        event = turns.send_message(session_id, self.user_id, asked.text, asked.client_message_id, asked.to_agent)
        return _event(event)


class CancelMessage(View):
    @extend_schema(operation_id="cancel_message", request=None, responses={202: EventBody})
    def post(self, request: Request, session_id: UUID, seq: int) -> HttpResponse:
        access.session(self.user_id, session_id, Role.DEVELOPER)
        return _event(turns.cancel_message(session_id, self.user_id, seq))


class StartAgent(View):
    @extend_schema(operation_id="start_agent", request=None, responses={202: EventBody})
    def post(self, request: Request, session_id: UUID, agent: str) -> HttpResponse:
        """403 `handoff_required` without an accepted handoff addressed to the agent; starting twice is one start."""
        access.session(self.user_id, session_id, Role.DEVELOPER)
        handoff_id = handoffs.accepted_for(session_id, agent)
        event = turns.start_agent(
            session_id, self.user_id, agent, has_accepted_handoff=handoff_id is not None, handoff_id=handoff_id
        )
        return _event(event)


class Stop(View):
    @extend_schema(operation_id="stop", request=AgentChoice, responses=Stopped)
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        asked = read(request, AgentChoice)
        access.session(self.user_id, session_id, Role.DEVELOPER)
        return write(Stopped(turns=turns.stop(session_id, self.user_id, asked.agent)))


class Continue(View):
    @extend_schema(operation_id="continue", request=AgentChoice, responses={202: EventBody})
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        asked = read(request, AgentChoice)
        access.session(self.user_id, session_id, Role.DEVELOPER)
        return _event(turns.continue_turn(session_id, self.user_id, asked.agent))


class Readiness(View):
    @extend_schema(operation_id="confirm_readiness", request=None, responses={202: EventBody})
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        access.session(self.user_id, session_id, Role.DEVELOPER)
        return _event(deciding.confirm_readiness(session_id, self.user_id))


class AnswerQuestions(View):
    @extend_schema(operation_id="answer_questions", request=Answers, responses={202: EventBody})
    def post(self, request: Request, question_set_id: UUID) -> HttpResponse:
        """The set's id is the id of its `chat.structured_question` event."""
        asked = read(request, Answers)
        session_id = access.session_of_event(self.user_id, question_set_id, Role.DEVELOPER)
        return _event(turns.answer_questions(session_id, self.user_id, question_set_id, asked.answers))


class Handoffs(View):
    @extend_schema(operation_id="list_handoffs", responses=HandoffList)
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        access.session(self.user_id, session_id, Role.VIEWER)
        return write(handoffs.of_session(session_id))


class HandTo(View):
    @extend_schema(operation_id="hand_to", request=HandTarget, responses={201: HandoffBody})
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """To the lead of an area or an agent without one: offered and accepted in one act."""
        asked = read(request, HandTarget)
        access.session(self.user_id, session_id, Role.DEVELOPER)
        return write(deciding.hand_to(session_id, self.user_id, asked.to_agent, asked.epic or ""), status=201)


class AcceptHandoff(View):
    @extend_schema(operation_id="accept_handoff", request=None, responses=HandoffBody)
    def post(self, request: Request, handoff_id: UUID) -> HttpResponse:
        access.handoff(self.user_id, handoff_id, Role.DEVELOPER)
        return write(deciding.accept(handoff_id, self.user_id))


class RejectHandoff(View):
    @extend_schema(operation_id="reject_handoff", request=Rejection, responses=HandoffBody)
    def post(self, request: Request, handoff_id: UUID) -> HttpResponse:
        asked = read(request, Rejection)
        access.handoff(self.user_id, handoff_id, Role.DEVELOPER)
        return write(deciding.reject(handoff_id, self.user_id, asked.reason))
