"""A person answers a set of structured questions: the answer and the message are one transaction (RN-162)."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.agents import services as agents
from api.rooms.kernel.refusals import Refusal, not_found
from api.rooms.turns.domain.answers import Incomplete, as_message, check
from contracts.events import ChatMessage, LogEvent, StructuredQuestion, StructuredQuestionAnswered
from contracts.limits import MAX_MESSAGE_CHARS
from contracts.problem import ProblemCode


@transaction.atomic
def answer_questions(session_id: UUID, user_id: UUID, question_set_id: UUID, answers: dict[str, str]) -> LogEvent:
    """The message that the agent reads; never refused for a full queue, once per set."""
    session = agent_sessions.lock(session_id)
    agent_sessions.refuse_unless_active(session)
    asked = log.event(session_id, question_set_id)
    if asked is None or not isinstance(asked.payload, StructuredQuestion):
        raise not_found("set of questions")
    _refuse_second_answer(session_id, question_set_id, asked.seq)
    problem = check(asked.payload.questions, answers)
    if problem is not None:
        raise _refusal(problem)
    known = {question.id for question in asked.payload.questions}
    given = {key: text.strip() for key, text in answers.items() if key in known}
    agent_sessions.append(
        session_id, user_actor(user_id), StructuredQuestionAnswered(question_set_id=question_set_id, answers=given)
    )
    message = ChatMessage(
        text=_bounded(as_message(asked.payload.questions, given)),
        client_message_id=f"answer-{question_set_id}",
        question_set_id=question_set_id,
    )
    # Not among the ids that clients have used: the set is what makes an answer happen once.
    return agents.deliver(session_id, user_actor(user_id), message, asked.actor.id, lifts_hold=True)


def _bounded(text: str) -> str:
    if len(text) > 4 * MAX_MESSAGE_CHARS:
        raise Refusal(
            ProblemCode.INVALID_BODY, f"All answers together have at most {4 * MAX_MESSAGE_CHARS} characters."
        )
    return text


def _refuse_second_answer(session_id: UUID, question_set_id: UUID, after: int) -> None:
    for event in log.events_of_types(session_id, ("chat.structured_question_answered",), after=after):
        payload = event.payload
        if isinstance(payload, StructuredQuestionAnswered) and payload.question_set_id == question_set_id:
            raise Refusal(ProblemCode.ALREADY_ANSWERED, "These questions were answered already.")


def _refusal(problem: Incomplete) -> Refusal:
    facts = {"missing": ", ".join(problem.missing), "outside": ", ".join(problem.outside)}
    return Refusal(
        ProblemCode.INVALID_BODY,
        "Every question needs an answer, and closed lists one of their options. "
        f"Missing: {facts['missing'] or 'none'}. Outside the options: {facts['outside'] or 'none'}.",
        facts,
    )
