"""The Architect's part: reads what is wanted, decides modules, places every story, and says what waits."""

import re

from api.rooms.gateway.domain.scripts import Entry, ScriptedCall
from api.rooms.gateway.providers.rehearsal.architect_words import OF_LANGUAGE, ArchitectWords
from api.rooms.gateway.providers.rehearsal.calls import call, of, short
from api.rooms.gateway.providers.rehearsal.conversation import Conversation
from api.rooms.gateway.providers.rehearsal.owner_words import stories_in_words

RULES, BACKLOG, READ = "list_business_rules", "list_backlog", "read_architecture"
MAP, ASSIGN, IMAGE = "create_module_map", "assign_story_modules", "choose_project_image"
C4, ADR, INSIGHT = "create_c4_diagram", "propose_adr", "emit_insight"
CHOSEN = "python:3.13-slim"
STACK = "Python"
MAX_PLACED = 26
PROJECT = re.compile(r"The project is called (['\"])(.+?)\1\.")
OPEN = re.compile(r"^  (S-\d+) “.*”: ", re.MULTILINE)
NAMES = re.compile(r"^  ([a-z][a-z0-9-]*) \(", re.MULTILINE)
CONFIRMED = "confirmed the architecture"
APPROVED = re.compile(r"approved your proposal “(.+?)”")
DENIED = re.compile(r"denied your proposal “(.+?)”, with this reason: (.*?)\nTake it up", re.DOTALL)


def perform(conversation: Conversation) -> Entry:
    """The next answer of the turn, by what its tools have answered so far."""
    words, last = OF_LANGUAGE[conversation.language], conversation.last_words
    approved, denied = APPROVED.search(last), DENIED.search(last)
    if approved:
        return Entry(text=words.approved.format(title=approved[1]))
    if denied:
        return Entry(text=words.denied.format(title=denied[1], reason=short(denied[2])))
    if CONFIRMED in last:
        return _summed_up(conversation, words)
    if not of(conversation.fresh, READ):
        return Entry(tool_calls=(call(RULES, {}), call(BACKLOG, {}), call(READ, {})))
    return _decide(conversation, words)


def _summed_up(conversation: Conversation, words: ArchitectWords) -> Entry:
    read = of(conversation.fresh, READ)
    if not read:
        return Entry(tool_calls=(call(READ, {}),))
    return Entry(text=words.summary.format(modules=", ".join(NAMES.findall(read[-1].text)) or "–"))


def _decide(conversation: Conversation, words: ArchitectWords) -> Entry:
    """The map, then the places, then the picture, then the word to the person; nothing that is there already."""
    fresh, read = conversation.fresh, of(conversation.fresh, READ)[-1].text
    names = NAMES.findall(read) or [name for name, _ in words.modules]
    if not NAMES.findall(read) and not of(fresh, MAP):
        return Entry(tool_calls=(_map(words),))
    stories = OPEN.findall(read)[:MAX_PLACED]
    if stories and not of(fresh, ASSIGN):
        placed = (_placed(story, names, number) for number, story in enumerate(stories))
        return Entry(tool_calls=(*placed, *_once(words, read, names)))
    if of(fresh, MAP) and not of(fresh, C4):
        return Entry(tool_calls=(_picture(conversation, words), _insight(words)))
    if not stories and not of(fresh, MAP):
        return _nothing_new(conversation, words)
    placed_words = stories_in_words(conversation.language, len(stories))
    return Entry(text=words.report.format(modules=", ".join(names), placed=placed_words, image=f"`{CHOSEN}`"))


def _map(words: ArchitectWords) -> ScriptedCall:
    inner = {name: [needed] for (name, _), (needed, _) in zip(words.modules, words.modules[1:], strict=False)}
    modules = [
        {"name": name, "stack": STACK, "responsibility": why, "depends_on": inner.get(name, [])}
        for name, why in words.modules
    ]
    return call(MAP, {"modules": modules})


def _placed(story: str, names: list[str], number: int) -> ScriptedCall:
    """Every second story has a page too."""
    return call(ASSIGN, {"story": story, "modules": names[:2] if number % 2 == 0 else names[1:2] or names[:1]})


def _once(words: ArchitectWords, read: str, names: list[str]) -> tuple[ScriptedCall, ...]:
    """Image and decision, where the architecture has none yet."""
    if "not chosen yet" not in read:
        return ()
    adr = {"title": words.adr_title, "slug": words.adr_slug, "content": words.adr, "modules": names[1:2]}
    return (
        call(IMAGE, {"image": CHOSEN, "rationale": words.rationale, "network": "none"}),
        call(ADR, adr),
    )


def _picture(conversation: Conversation, words: ArchitectWords) -> ScriptedCall:
    named = PROJECT.search(conversation.system)
    people, mail = words.people, words.mail
    actors = [
        {"name": people[0], "type": "person", "description": people[1]},
        {"name": mail[0], "type": "external_system", "description": mail[1]},
    ]
    system = {"system_name": named[2] if named else words.system, "system_description": words.system}
    return call(C4, {**system, "actors": actors})


def _insight(words: ArchitectWords) -> ScriptedCall:
    return call(INSIGHT, {"title": words.insight_title, "description": words.insight})


def _nothing_new(conversation: Conversation, words: ArchitectWords) -> Entry:
    if conversation.is_harness_speaking or not conversation.said:
        return Entry(text=words.nothing_new)
    return Entry(text=words.answered.format(quote=short(conversation.said[-1].text)))
