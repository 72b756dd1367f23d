"""The Story Editor's part: says how the epic stands, finds the story that is meant, lets its tasks be written."""

import re
from dataclasses import dataclass

from api.rooms.gateway.domain.scripts import Entry
from api.rooms.gateway.providers.rehearsal.calls import call, of, short
from api.rooms.gateway.providers.rehearsal.conversation import Conversation
from contracts.text import fold
from contracts.vocabulary import Language

ITEMS, FIND, REFINE = "get_work_items", "find_story", "refine_story_tasks"
STORY = re.compile(r"^  (S-\d+) “(.+?)” version \d+, \w+; .*; (\d+) tasks", re.MULTILINE)
EPIC = re.compile(r"\A(E\d+) “(.+?)”")
CODE = re.compile(r"\bS-\d+\b", re.IGNORECASE)
FOUND = re.compile(r"\AIt is (S-\d+) ")
SHOWN = re.compile(r"\A(S-\d+) has \d+ tasks already")
YES = frozenset(["yes", "yep", "ok", "okay", "sure", "sim", "pode", "claro", "isso", "troque", "replace"])


@dataclass(frozen=True)
class Words:
    """Slots are filled with `format`."""

    stands: str
    without: str
    all_have: str
    which: str
    ask: str
    written: str
    could_not: str


OF_LANGUAGE = {
    Language.ENGLISH: Words(
        stands="{epic} “{title}” has {count} stories. {tasks} Name one, and I let its tasks be written.",
        without="Without tasks: {codes}.",
        all_have="All of them have tasks.",
        which="Which story do you mean? {told}",
        ask="This is what replacing the tasks would mean:\n\n{difference}\n\nShall I replace them? Say yes, and I do.",
        written="Done. {told}",
        could_not="That did not work: {told}",
    ),
    Language.PORTUGUESE: Words(
        stands="{epic} “{title}” tem {count} histórias. {tasks} Diga qual, e as tarefas são escritas.",
        without="Sem tarefas: {codes}.",
        all_have="Todas têm tarefas.",
        which="De que história você fala? {told}",
        ask="Trocar as tarefas significaria isto:\n\n{difference}\n\nPosso trocar? Diga sim, e eu troco.",
        written="Pronto. {told}",
        could_not="Não deu certo: {told}",
    ),
}


def perform(conversation: Conversation) -> Entry:
    """The next answer of the turn, by what its tools have answered so far."""
    words, fresh = OF_LANGUAGE[conversation.language], conversation.fresh
    refined = of(fresh, REFINE)
    if refined:
        return _after(words, refined[-1].text)
    if conversation.is_harness_speaking or not conversation.said:
        items = of(fresh, ITEMS)
        return _stands(words, items[-1].text) if items else Entry(tool_calls=(call(ITEMS, {}),))
    return _for_person(conversation, words)


def _for_person(conversation: Conversation, words: Words) -> Entry:
    said, found = conversation.said[-1].text, of(conversation.fresh, FIND)
    shown = [match[1] for result in of(conversation.results, REFINE) if (match := SHOWN.match(result.text))]
    if shown and YES & set(fold(said).replace(",", " ").replace(".", " ").split()):
        return Entry(tool_calls=(call(REFINE, {"story": shown[-1], "replace_existing": True}),))
    code = CODE.search(said)
    if code:
        return Entry(tool_calls=(call(REFINE, {"story": code[0].upper()}),))
    if not found:
        return Entry(tool_calls=(call(FIND, {"said": short(said)}),))
    story = FOUND.match(found[-1].text)
    if story:
        return Entry(tool_calls=(call(REFINE, {"story": story[1]}),))
    return Entry(text=words.which.format(told=found[-1].text))


def _stands(words: Words, items: str) -> Entry:
    epic, stories = EPIC.match(items), STORY.findall(items)
    bare = [code for code, _, tasks in stories if tasks == "0"]
    told = words.without.format(codes=", ".join(bare)) if bare else words.all_have
    named = (epic[1], epic[2]) if epic else ("–", "–")
    return Entry(text=words.stands.format(epic=named[0], title=named[1], count=len(stories), tasks=told))


def _after(words: Words, answer: str) -> Entry:
    if SHOWN.match(answer):
        return Entry(text=words.ask.format(difference=answer))
    if answer.startswith("Not done"):
        return Entry(text=words.could_not.format(told=short(answer)))
    return Entry(text=words.written.format(told=answer))
