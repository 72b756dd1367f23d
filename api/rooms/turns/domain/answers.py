"""Answers to structured questions: complete, and within the options where "other" is closed (RN-162)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contracts.events import Question
from contracts.vocabulary import QuestionType


@dataclass(frozen=True)
class Incomplete:
    """`missing` are the ids without an answer, `outside` those answered outside a closed list."""

    missing: tuple[str, ...]
    outside: tuple[str, ...]


def check(questions: Sequence[Question], answers: Mapping[str, str]) -> Incomplete | None:
    """Keys that no question has are ignored."""
    missing = tuple(question.id for question in questions if not answers.get(question.id, "").strip())
    outside = tuple(
        question.id
        for question in questions
        if question.type is QuestionType.SELECT
        and not question.allow_other
        and question.id not in missing
        and answers[question.id] not in question.options
    )
    return Incomplete(missing, outside) if missing or outside else None


def as_message(questions: Sequence[Question], answers: Mapping[str, str]) -> str:
    """What the agent reads as the person's next message: one line for each question."""
    return "\n".join(
        f"{number}. {question.label}: {answers[question.id].strip()}"
        for number, question in enumerate(questions, start=1)
    )
