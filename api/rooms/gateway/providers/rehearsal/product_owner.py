"""The Product Owner's part: reads the lists, makes what is missing, takes a story back in, and says so."""

import re

from api.rooms.gateway.domain.scripts import Entry, ScriptedCall
from api.rooms.gateway.providers.rehearsal import backlog_lists as lists
from api.rooms.gateway.providers.rehearsal.backlog_lists import ListedRule
from api.rooms.gateway.providers.rehearsal.calls import call, of, short
from api.rooms.gateway.providers.rehearsal.conversation import Conversation, Result
from api.rooms.gateway.providers.rehearsal.owner_words import OF_LANGUAGE, WAITING, OwnerWords, stories_in_words

RULES, BACKLOG = "list_business_rules", "list_backlog"
EPIC, STORY, EDIT, TASK, OFFER = "create_epic", "create_story", "edit_story", "create_task", "offer_handoff"
RULES_OF_ONE_EPIC = 3
MAX_STORIES_AN_ANSWER = 15
MAX_TITLE_CHARS = 190
RETURNED = re.compile(r"gave (S-\d+) “.*?” back.*?Their reason:\n(.*?)\nRead the story", re.DOTALL)
AT_VERSION = re.compile(r"is at version (\d+)")


def perform(conversation: Conversation) -> Entry:
    """The next answer of the turn, by what its tools have answered so far."""
    words = OF_LANGUAGE[conversation.language]
    returned = RETURNED.search(conversation.last_words)
    if returned:
        return _take_in(conversation, words, returned[1], returned[2].strip())
    fresh = conversation.fresh
    if not of(fresh, RULES):
        return Entry(tool_calls=(call(RULES, {}), call(BACKLOG, {})))
    wanted = [rule for rule in lists.rules_of(of(fresh, RULES)[-1].text) if not rule.is_covered]
    wanted = wanted[:MAX_STORIES_AN_ANSWER]
    if not wanted:
        return _nothing_to_add(conversation, words)
    return _build(conversation, words, wanted)


def _build(conversation: Conversation, words: OwnerWords, wanted: list[ListedRule]) -> Entry:
    """Epics, then stories, then their tasks, then the handoff, then the word to the person."""
    fresh = conversation.fresh
    epics = _made(fresh, EPIC) or list(lists.epics_of(of(fresh, BACKLOG)[-1].text if of(fresh, BACKLOG) else ""))
    if not epics:
        chosen = words.epics[: 1 if len(wanted) <= RULES_OF_ONE_EPIC else 2]
        return Entry(tool_calls=tuple(call(EPIC, {"title": title, "description": told}) for title, told in chosen))
    if not of(fresh, STORY):
        placed = [(rule, _epic_of(epics, number, len(wanted))) for number, rule in enumerate(wanted)]
        return Entry(tool_calls=tuple(_story(words, rule, epic) for rule, epic in placed))
    stories = [found for result in of(fresh, STORY) if (found := lists.made(result.text))]
    if stories and not of(fresh, TASK):
        return Entry(tool_calls=tuple(_task(*story, *task) for story in stories for task in words.tasks))
    return _offer_or_report(conversation, words, [code for code, _ in stories])


def _epic_of(epics: list[str], number: int, total: int) -> str:
    """The first part of the rules in the first epic, the rest in the last: none stays without a story."""
    return epics[0] if number < (total + 1) // 2 or len(epics) == 1 else epics[-1]


def _story(words: OwnerWords, rule: ListedRule, epic: str) -> ScriptedCall:
    slots = {"title": rule.title.rstrip("."), "description": rule.description}
    return call(
        STORY,
        {
            "epic": epic,
            "title": rule.title[:MAX_TITLE_CHARS],
            "description": words.description.format_map(slots),
            "functional_requirements": [words.requirement.format_map(slots)],
            "acceptance_criteria": [each.format_map(slots) for each in words.criteria],
            "test_scenarios": list(words.scenarios),
            "definition_of_ready": [words.ready],
            "definition_of_done": [words.done],
            "business_rules": [rule.code],
        },
    )


def _task(code: str, story: str, title: str, description: str) -> ScriptedCall:
    slots = {"title": story.rstrip("."), "code": code}
    named = title.format_map(slots)[:MAX_TITLE_CHARS]
    return call(TASK, {"story": code, "title": named, "description": description.format_map(slots)})


def _offer_or_report(conversation: Conversation, words: OwnerWords, codes: list[str]) -> Entry:
    is_offered = any(result.call.name == OFFER for result in conversation.results)
    if conversation.is_harness_speaking and not is_offered:
        return Entry(tool_calls=(call(OFFER, {"to_agent": "architect"}),))
    language = conversation.language
    told = words.report.format(
        stories=stories_in_words(language, len(codes)), codes=", ".join(codes) or "–", waiting=WAITING[language]
    )
    return Entry(text=f"{told} {words.handed_over}" if of(conversation.fresh, OFFER) else told)


def _nothing_to_add(conversation: Conversation, words: OwnerWords) -> Entry:
    if not lists.rules_of(of(conversation.fresh, RULES)[-1].text):
        return Entry(text=words.no_rules)
    if conversation.is_harness_speaking or not conversation.said:
        return Entry(text=words.nothing_new)
    return Entry(text=words.answered.format(quote=short(conversation.said[-1].text)))


def _take_in(conversation: Conversation, words: OwnerWords, code: str, reason: str) -> Entry:
    """Read where the story stands, change it, and once more where somebody was quicker."""
    fresh = conversation.fresh
    edits, listed = of(fresh, EDIT), of(fresh, BACKLOG)
    if not listed:
        return Entry(tool_calls=(call(BACKLOG, {}),))
    if not edits:
        known = {story.code: story.version for story in lists.stories_of(listed[-1].text)}
        return Entry(tool_calls=(_edit(words, code, known.get(code, 1), reason),))
    if lists.made(edits[-1].text):
        return Entry(text=words.taken_in.format(code=code, reason=short(reason)))
    newer = AT_VERSION.search(edits[-1].text)
    if newer and len(edits) == 1:
        return Entry(tool_calls=(_edit(words, code, int(newer[1]), reason),))
    return Entry(text=words.could_not.format(code=code, reason=short(edits[-1].text)))


def _edit(words: OwnerWords, code: str, version: int, reason: str) -> ScriptedCall:
    criteria = [short(reason), words.criteria[1]]
    return call(EDIT, {"story": code, "version": version, "acceptance_criteria": criteria})


def _made(results: tuple[Result, ...], tool: str) -> list[str]:
    return [found[0] for result in of(results, tool) if (found := lists.made(result.text))]
