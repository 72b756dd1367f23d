"""What a conversation can hold beside talk: tools, failures of each origin, a replaced model, questions."""

from dataclasses import dataclass

from api.rooms.kernel.ids import new_id
from contracts.artifacts import Note
from contracts.events import (
    AgentError,
    AgentResponse,
    AnyEvent,
    ContextCompacted,
    ModelCallRepeated,
    ModelFellBack,
    ModelNudged,
    Question,
    StructuredQuestion,
    ToolCalled,
    ToolFinished,
    TurnEnded,
    TurnStarted,
    TurnStopReceipt,
)
from contracts.failures import ORIGINS, ErrorCode
from contracts.money import Bill, Usage
from contracts.vocabulary import Language, QuestionType, TurnStatus

RAW = '{"error":{"message":"Rate limit reached for requests","type":"requests","code":"rate_limit_exceeded"}}'
USAGE = Usage(uncached_input=4_120, cache_read=1_024, output=388, reasoning=120)
BILL = Bill(usage=USAGE, cost_micros=1_234_567, provider="openai", model="gpt-4o-mini")
OVER = {"node": "project", "needed_micros": "1250000", "left_micros": "340000"}


@dataclass(frozen=True)
class Told:
    note_title: str
    note: str
    answer: str
    who: str
    choices: tuple[str, ...]
    why: str


TOLD = {
    Language.ENGLISH: Told(
        "Where the books stand",
        "Most of them stay at home; the shelf in the bakery holds those that nobody misses.",
        "Three things are open:\n\n1. **Lost books**: who pays?\n2. `Overdue` reminders\n\n"
        "| Case | Who decides |\n|---|---|\n| Lost | The owner |\n| Torn | Both neighbours |\n\n"
        "> A book is a loan of trust.",
        "Who decides about a lost book?",
        ("Its owner", "Both neighbours", "The association"),
        "Why would a neighbour lend a favourite book?",
    ),
    Language.PORTUGUESE: Told(
        "Onde ficam os livros",
        "A maioria fica em casa; a estante da padaria guarda os que não fazem falta a ninguém.",
        "Três pontos estão em aberto:\n\n1. **Livros perdidos**: quem paga?\n2. Lembretes de `atraso`\n\n"
        "| Caso | Quem decide |\n|---|---|\n| Perdido | Quem emprestou |\n| Rasgado | As duas pessoas |\n\n"
        "> Um livro é um empréstimo de confiança.",
        "Quem decide sobre um livro perdido?",
        ("Quem emprestou", "As duas pessoas", "A associação"),
        "Por que alguém emprestaria o livro preferido?",
    ),
}


def events_of(language: Language) -> tuple[AnyEvent, ...]:
    told, turn = TOLD[language], new_id()
    arguments = '{"type": "note", "payload": {"title": "' + told.note_title + '"}}'
    return (
        TurnStarted(turn_id=turn, number=4, taken=(2,)),
        ToolCalled(turn_id=turn, iteration=0, call_id="a", tool="emit_artifact", arguments=arguments),
        Note(title=told.note_title, body=told.note),
        ToolFinished(turn_id=turn, call_id="a", tool="emit_artifact", ok=True, text="Stored."),
        ModelNudged(turn_id=turn, reason=ErrorCode.EMPTY_ANSWER, text="Answer in words."),
        ContextCompacted(turn_id=turn, through_seq=4, summary=told.note, bytes_before=91_000, bytes_after=12_400),
        ModelCallRepeated(turn_id=turn, attempt=2),
        ModelFellBack(
            turn_id=turn,
            agent="creative",
            provider="openai",
            model="gpt-3.5-turbo-0301",
            fallback_provider="anthropic",
            fallback_model="claude-3-5-haiku-latest",
        ),
        AgentResponse(turn_id=turn, iteration=0, content=told.answer, bill=BILL),
        AgentResponse(turn_id=turn, iteration=1, content=told.note, bill=BILL, is_partial=True),
        TurnStopReceipt(turn_id=turn, close_ms=212, usage=USAGE, cost_micros=4_321),
        *(_failure(code) for code in (ErrorCode.RATE_LIMITED, ErrorCode.EMPTY_ANSWER, ErrorCode.UNKNOWN_FAILURE)),
        AgentError(origin=ORIGINS[ErrorCode.BUDGET_EXCEEDED], code=ErrorCode.BUDGET_EXCEEDED, facts=OVER),
        TurnEnded(turn_id=turn, status=TurnStatus.FAILED, reason=ErrorCode.BUDGET_EXCEEDED),
        StructuredQuestion(
            turn_id=turn,
            questions=(
                Question(id="who", label=told.who, type=QuestionType.SELECT, options=told.choices, allow_other=True),
                Question(id="why", label=told.why, type=QuestionType.TEXTAREA),
            ),
        ),
    )


def _failure(code: ErrorCode) -> AgentError:
    return AgentError(origin=ORIGINS[code], code=code, diagnosis=RAW)
