"""Business rules that can be read out of a person's answer: the sentences that state a behaviour."""

import re
from dataclasses import dataclass

from api.rooms.gateway.providers.rehearsal.conversation import Conversation, Said
from contracts.text import fold

MAX_A_MESSAGE = 2
MIN_WORDS = 4
MIN_WORDS_IN_PROSE = 6
MAX_TITLE_CHARS = 70
ENGLISH = "must only never always when if unless every each cannot should can until before after without nobody"
PORTUGUESE = "deve devem so nunca sempre quando se cada pode podem ate antes depois sem todo toda precisa ninguem"
STATES_A_RULE = frozenset(ENGLISH.split()) | frozenset(PORTUGUESE.split())
LABEL = re.compile(r"\A\d+\.\s.*?[?:]:?\s+")
"""What stands before the answer in a line of a filled form."""


@dataclass(frozen=True)
class Rule:
    title: str
    sentence: str
    origin: int


def rules_in(conversation: Conversation, said: Said) -> tuple[Rule, ...]:
    """At most two that are not recorded yet; none from a question, and none without a number to name as origin."""
    if said.seq is None or said.text.endswith("?"):
        return ()
    found: list[Rule] = []
    for sentence in _stating(said.text):
        title = _title(sentence)
        if not conversation.knows(title) and title not in [rule.title for rule in found]:
            found.append(Rule(title, sentence, said.seq))
    return tuple(found[:MAX_A_MESSAGE])


def _stating(text: str) -> list[str]:
    """Sentences that say what must, may or happens; without one, the first long sentence of an answer in prose."""
    sentences = [sentence for sentence in _sentences(text) if len(sentence.split()) >= MIN_WORDS]
    stating = [sentence for sentence in sentences if STATES_A_RULE & set(re.findall(r"\w+", fold(sentence)))]
    if stating or is_form(text):
        return stating
    return [sentence for sentence in sentences if len(sentence.split()) >= MIN_WORDS_IN_PROSE][:1]


def is_form(text: str) -> bool:
    """Whether a message is a filled form rather than prose."""
    return any(LABEL.match(line.strip()) for line in text.splitlines())


def _sentences(text: str) -> list[str]:
    lines = [LABEL.sub("", line.strip()) for line in text.splitlines()]
    parts = [part for line in lines for part in re.split(r"(?<=[.!?])\s+", line)]
    return [part.strip(" .-–•\t") for part in parts if part.strip(" .-–•\t") and not part.endswith("?")]


def _title(sentence: str) -> str:
    """The beginning of the sentence, cut at a word."""
    title = sentence[0].upper() + sentence[1:]
    if len(title) <= MAX_TITLE_CHARS:
        return title
    return title[: MAX_TITLE_CHARS + 1].rsplit(" ", 1)[0].rstrip(",:–- ") + "…"
