"""`emit_artifact`: writes a note or a business rule into the session's log."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from contracts.artifacts import BusinessRule, Note, Quoted
from contracts.base import Message
from contracts.codes import RuleCode
from contracts.events import ChatMessage, LogEvent
from contracts.failures import ErrorCode
from contracts.limits import MAX_QUOTES
from contracts.problem import Problem, ProblemCode
from contracts.routes.effects import EMIT_ARTIFACT
from contracts.routes.model import ToolSpec
from engine.domain.failures import ApiProblem
from engine.domain.tools import Scope, Tool, ToolOutcome, failed, succeeded
from engine.domain.words import what_is_wrong

NAME = "emit_artifact"
PREFIX = "artifact."
RULE = "business_rule"
FIELDS = {
    "note": "title, body",
    "business_rule": "title, description, origin, and where it helps quotes and supersedes",
}
MAX_LISTED = 40

SPEC = ToolSpec(
    name=NAME,
    description=(
        "Record an artifact. `type` says which one, `payload` holds its fields.\n"
        'type "note": `title` (short text), `body` (text). Something worth keeping that is no rule. Example: '
        '{"type": "note", "payload": {"title": "Who visits", "body": "Mostly families, on Saturdays."}}\n'
        'type "business_rule": `title` (short, not used by another rule), `description` (the observable behaviour that '
        "is wanted, no technology), `origin` (non-empty list of the numbers in square brackets before the person's "
        "messages that the rule came from). Example: "
        '{"type": "business_rule", "payload": {"title": "Late return", "description": "A book returned after its due '
        'date blocks new loans for one day per day of delay.", "origin": [12, 15], "quotes": [{"message": 12, "text": '
        '"no new books while one is late"}]}}\n'
        "`quotes` say which words of a message the rule rests on, word for word; a message without a quote counts "
        "whole. When the person changes their mind about a rule, record it again with `supersedes`, the code of the "
        "rule that it replaces, such as R-3."
    ),
    parameters={
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": ["note", "business_rule"]},
            "payload": {
                "type": "object",
                "description": "note: title, body; business_rule: title, description, origin, quotes, supersedes.",
                "properties": {
                    "title": {"type": "string"},
                    "body": {"type": "string"},
                    "description": {"type": "string"},
                    "origin": {"type": "array", "items": {"type": "integer"}},
                    "quotes": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {"message": {"type": "integer"}, "text": {"type": "string"}},
                            "required": ["message", "text"],
                        },
                    },
                    "supersedes": {"type": "string"},
                },
                "required": ["title"],
            },
        },
        "required": ["type", "payload"],
    },
)
_ARTIFACT: TypeAdapter[Note | BusinessRule] = TypeAdapter(Annotated[Note | BusinessRule, Field(discriminator="type")])


@dataclass(frozen=True)
class Emitted:
    """The artifact as the contract wants it, the words that it rests on, and the code of the rule that it replaces."""

    artifact: Note | BusinessRule
    quoted: tuple[Quoted, ...] = ()
    supersedes: str | None = None


class _Beside(Message):
    """What a rule's payload holds beside the rule."""

    quotes: Annotated[tuple[Quoted, ...], Field(max_length=MAX_QUOTES)] = ()
    supersedes: RuleCode | None = None


def read(arguments: dict[str, Any]) -> Emitted | ToolOutcome:
    """What is to be stored, or what is wrong with it."""
    kind, payload = str(arguments.get("type", "")).removeprefix(PREFIX), arguments.get("payload")
    if kind not in FIELDS:
        return failed(ErrorCode.INVALID_TOOL_ARGUMENTS, "Not stored: `type` must be note or business_rule.")
    if not isinstance(payload, dict):
        text = f"Not stored: `payload` must be an object with {FIELDS[kind]}."
        return failed(ErrorCode.INVALID_TOOL_ARGUMENTS, text)
    values = _trimmed(payload)
    beside = {name: values.pop(name) for name in tuple(values) if name in _Beside.model_fields} if kind == RULE else {}
    try:
        said = _Beside.model_validate(beside)
        artifact = _ARTIFACT.validate_python({**values, "type": PREFIX + kind})
        return Emitted(artifact, said.quotes, said.supersedes)
    except ValidationError as error:
        text = f"Not stored: {what_is_wrong(error)}. A {kind} has {FIELDS[kind]}."
        return failed(ErrorCode.INVALID_ARTIFACT, text)


def _trimmed(payload: dict[str, Any]) -> dict[str, Any]:
    """Texts without surrounding space, so that a blank one counts as missing; JSON arrays as the tuples we keep."""
    values = {name: value.strip() if isinstance(value, str) else value for name, value in payload.items()}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def stray_origins(artifact: Note | BusinessRule, history: Iterable[LogEvent]) -> ToolOutcome | None:
    """RN-061: a rule comes from what people said in this session; a refusal lists what it may name."""
    if isinstance(artifact, Note):
        return None
    said = [event.seq for event in history if isinstance(event.payload, ChatMessage)]
    strays = [seq for seq in artifact.origin if seq not in said]
    if not strays:
        return None
    listed = ", ".join(str(seq) for seq in said[-MAX_LISTED:])
    text = f"Not stored: origin {strays[:10]} names no message of the person here. Messages you may name: {listed}."
    return failed(ErrorCode.INVALID_ARTIFACT, text)


def of_refusal(artifact: Note | BusinessRule, problem: Problem) -> ToolOutcome | None:
    """What the model is told when the api refuses the artifact itself; null for any other refusal."""
    if problem.code is ProblemCode.DUPLICATE_RULE:
        title = problem.facts.get("existing", artifact.title)
        text = f'Not stored: this project has a rule with the title "{title}" already. {problem.detail}'
        return failed(ErrorCode.DUPLICATE_RULE, text)
    if problem.code in (ProblemCode.INVALID_ARTIFACT, ProblemCode.INVALID_BACKLOG):
        fields = "; ".join(f"{each.where}: {each.what}" for each in problem.fields)
        return failed(ErrorCode.INVALID_ARTIFACT, f"Not stored: {problem.detail} {fields}".rstrip())
    return None


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Store it, keyed by the step, so that repeating stores nothing twice."""
    emitted = read(arguments)
    if isinstance(emitted, ToolOutcome):
        return emitted
    artifact = emitted.artifact
    if refusal := stray_origins(artifact, scope.history):
        return refusal
    try:
        event = (await scope.ask(EMIT_ARTIFACT, **vars(emitted))).event
    except ApiProblem as error:
        if refusal := of_refusal(artifact, error.problem):
            return refusal
        raise
    return succeeded(
        f'Stored: {artifact.type.removeprefix(PREFIX)} "{artifact.title}" is event {event.seq}.{_cited(event)}'
    )


def _cited(event: LogEvent) -> str:
    """What the model must know when the project's words stand in place of its own."""
    if not (isinstance(event.payload, BusinessRule) and event.payload.cites):
        return ""
    return f" Another session of the project recorded it first, and its words count: {event.payload.description}"


TOOL = Tool(SPEC, run)
