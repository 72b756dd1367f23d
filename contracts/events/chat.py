"""What people say, take back and answer."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.base import Message, Seq
from contracts.limits import MAX_MESSAGE_CHARS, MAX_OPTIONS, MAX_QUESTIONS
from contracts.vocabulary import QuestionType

Option = Annotated[str, Field(min_length=1, max_length=200)]


class ChatMessage(Message):
    """`client_message_id` makes sending repeatable; `question_set_id` is set when it carries structured answers."""

    type: Literal["chat.message"] = "chat.message"
    text: Annotated[str, Field(min_length=1, max_length=4 * MAX_MESSAGE_CHARS)]
    client_message_id: Annotated[str, Field(min_length=1, max_length=64)]
    question_set_id: UUID | None = None


class ChatMessageCancelled(Message):
    """A queued message was taken back before an agent took it."""

    type: Literal["chat.message_cancelled"] = "chat.message_cancelled"
    message_seq: Seq


class Question(Message):
    """RN-162. `options` are for `select` only; `allow_other` is normalised to false for the other types."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    label: Annotated[str, Field(min_length=1, max_length=500)]
    type: QuestionType = QuestionType.TEXT
    options: Annotated[tuple[Option, ...], Field(max_length=MAX_OPTIONS)] = ()
    allow_other: bool = False


class StructuredQuestion(Message):
    """Its event id is the question set's id."""

    type: Literal["chat.structured_question"] = "chat.structured_question"
    turn_id: UUID
    questions: Annotated[tuple[Question, ...], Field(min_length=1, max_length=MAX_QUESTIONS)]


class StructuredQuestionAnswered(Message):
    type: Literal["chat.structured_question_answered"] = "chat.structured_question_answered"
    question_set_id: UUID
    answers: dict[str, str]
