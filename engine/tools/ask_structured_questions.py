"""`ask_structured_questions`: puts a form before the person instead of a list of questions in prose (RN-162)."""

from typing import Any

from pydantic import ValidationError

from contracts.events import Question, StructuredQuestion
from contracts.failures import ErrorCode
from contracts.limits import MAX_OPTIONS, MAX_QUESTIONS
from contracts.routes.model import ToolSpec
from contracts.vocabulary import QuestionType
from engine.domain.tools import Scope, Tool, ToolOutcome, failed, succeeded
from engine.domain.words import what_is_wrong

NAME = "ask_structured_questions"

SPEC = ToolSpec(
    name=NAME,
    description=(
        "Put a short form before the person; the answers come as the person's next message, so this ends your turn. "
        f"`questions` is a list of 1 to {MAX_QUESTIONS}. Each has `id` (unique in the list), `label` (what is asked), "
        "`type` (text, textarea or select; text when left out), and for select also `options` (non-empty list of "
        "texts) and `allow_other` (true when left out: the form itself offers a free answer, so never put an entry "
        'such as "Other" among the options). Example: {"questions": [{"id": "who", "label": "Who opens the space?", '
        '"type": "select", "options": ["Residents", "Staff"], "allow_other": true}, {"id": "why", "label": "What goes '
        'wrong today?", "type": "textarea"}]}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "questions": {
                "type": "array",
                "minItems": 1,
                "maxItems": MAX_QUESTIONS,
                "items": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string"},
                        "label": {"type": "string"},
                        "type": {"type": "string", "enum": ["text", "textarea", "select"]},
                        "options": {"type": "array", "items": {"type": "string"}, "maxItems": MAX_OPTIONS},
                        "allow_other": {"type": "boolean"},
                    },
                    "required": ["id", "label"],
                },
            }
        },
        "required": ["questions"],
    },
)


class Refused(ValueError):
    """What is wrong with one question."""


def read(arguments: dict[str, Any]) -> tuple[Question, ...] | ToolOutcome:
    """The questions, normalised; an invalid list stores nothing and is told to the model."""
    given = arguments.get("questions")
    if not isinstance(given, list) or not 1 <= len(given) <= MAX_QUESTIONS:
        return _refusal(f"`questions` must be a list of 1 to {MAX_QUESTIONS} questions")
    try:
        questions = tuple(_question(number, each) for number, each in enumerate(given, 1))
    except Refused as error:
        return _refusal(str(error))
    ids = [question.id for question in questions]
    doubled = sorted({each for each in ids if ids.count(each) > 1})
    if doubled:
        return _refusal(f"each `id` must be unique, and these are not: {', '.join(doubled)}")
    return questions


def _refusal(problem: str) -> ToolOutcome:
    return failed(ErrorCode.INVALID_TOOL_ARGUMENTS, f"Not asked: {problem}.")


def _question(number: int, given: Any) -> Question:
    if not isinstance(given, dict):
        raise Refused(f"question {number} must be an object with id, label and type")
    kind = given.get("type", QuestionType.TEXT)
    if kind not in list(QuestionType):
        raise Refused(f"question {number}: `type` must be text, textarea or select")
    is_select = kind == QuestionType.SELECT
    allow_other = given.get("allow_other", is_select)
    if not isinstance(allow_other, bool):
        raise Refused(f"question {number}: `allow_other` must be true or false")
    try:
        return Question(
            id=_text(number, given, "id"),
            label=_text(number, given, "label"),
            type=QuestionType(kind),
            options=_options(number, given) if is_select else (),
            allow_other=allow_other and is_select,
        )
    except ValidationError as error:
        raise Refused(f"question {number}: {what_is_wrong(error)}") from None


def _text(number: int, given: dict[str, Any], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Refused(f"question {number}: `{name}` must be a text that is not empty")
    return value.strip()


def _options(number: int, given: dict[str, Any]) -> tuple[str, ...]:
    options = given.get("options")
    is_good = isinstance(options, list) and options and all(isinstance(each, str) and each.strip() for each in options)
    if not is_good or not isinstance(options, list):
        raise Refused(f"question {number}: a select needs `options`, a list of texts that are not empty")
    return tuple(dict.fromkeys(each.strip() for each in options))


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Nothing is touched: the questions are written with the step that records this outcome."""
    questions = read(arguments)
    if isinstance(questions, ToolOutcome):
        return questions
    asked = StructuredQuestion(turn_id=scope.turn_id, questions=questions)
    return succeeded(f"Asked {len(questions)} question(s); the answers come as the person's next message.", asked)


TOOL = Tool(SPEC, run)
