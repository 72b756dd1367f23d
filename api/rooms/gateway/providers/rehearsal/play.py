"""What the rehearsal does next: the part of the agent whose tools are offered, a plain assistant's otherwise."""

import json

from api.rooms.gateway.domain.scripts import Entry, ScriptedCall
from api.rooms.gateway.providers.rehearsal import architect, detailing, product_owner, story_editor, ux_designer
from api.rooms.gateway.providers.rehearsal.conversation import ASK, EMIT, Conversation, Result, Said, read
from api.rooms.gateway.providers.rehearsal.phrases import OF_LANGUAGE, Phrases, count_of
from api.rooms.gateway.providers.rehearsal.rules import Rule, is_form, rules_in
from contracts.routes.model import ModelCall

RULES_OF_A_MATURE_IDEA = 3
MAX_QUOTE_CHARS = 140
MAX_QUOTES = 3
MAX_FAILURES_OF_A_TURN = 2
MIN_WORDS_OF_AN_IDEA = 4

PARTS = {
    product_owner.STORY: product_owner.perform,
    architect.READ: architect.perform,
    detailing.WRITE: detailing.perform,
    story_editor.ITEMS: story_editor.perform,
    ux_designer.PROPOSE: ux_designer.perform,
}
"""By the tool that only this agent has."""


def perform(call: ModelCall) -> Entry:
    """The next answer; the same conversation always gets the same one."""
    conversation = read(call)
    words = OF_LANGUAGE[conversation.language]
    for tool, part in PARTS.items():
        if tool in conversation.tools:
            return part(conversation)
    if EMIT not in conversation.tools:
        return _without_tools(conversation, words)
    if conversation.fresh:
        return _after_tools(conversation, words)
    if conversation.is_harness_speaking:
        return _for_harness(conversation, words)
    return _for_person(conversation, words)


def quote(text: str) -> str:
    """The beginning of what somebody said, on one line."""
    line = " ".join(text.split()).strip(' .“”"')
    if len(line) <= MAX_QUOTE_CHARS:
        return line
    return line[:MAX_QUOTE_CHARS].rsplit(" ", 1)[0] + "…"


def _latest(conversation: Conversation) -> Said:
    return conversation.said[-1] if conversation.said else Said(None, "")


def _without_tools(conversation: Conversation, words: Phrases) -> Entry:
    if "summar" in conversation.system.lower():
        lines = "\n".join(f"- [{said.seq}] {quote(said.text)}" for said in conversation.said if said.seq)
        return Entry(text=words.digest.format(lines=lines or quote(_latest(conversation).text)))
    return Entry(text=words.assistant.format(quote=quote(_latest(conversation).text)))


def _for_harness(conversation: Conversation, words: Phrases) -> Entry:
    """Consolidate when the form is off the table; else go on, or give the answer that was missing."""
    if ASK not in conversation.tools:
        return Entry(text=_consolidation(conversation, words))
    if "brief back" in conversation.last_words:
        return Entry(text=words.returned)
    if "empty" in conversation.last_words or "output limit" in conversation.last_words:
        return Entry(text=words.mended.format(quote=quote(_latest(conversation).text)))
    return _for_person(conversation, words)


def _for_person(conversation: Conversation, words: Phrases) -> Entry:
    said = _latest(conversation)
    if len(said.text.split()) < MIN_WORDS_OF_AN_IDEA and not conversation.rules:
        return Entry(text=words.small_talk)
    if len(conversation.said) == 1:
        return Entry(text=words.opening.format(quote=quote(said.text)))
    rules = rules_in(conversation, said)
    if rules:
        return Entry(tool_calls=tuple(_emit(rule, words) for rule in rules))
    if not conversation.has_asked:
        return _ask(words)
    return Entry(text=f"{words.unclear}\n\n{_follow_up(conversation, words)}")


def _emit(rule: Rule, words: Phrases) -> ScriptedCall:
    description = words.behaviour.format(sentence=rule.sentence)
    quotes = [{"message": rule.origin, "text": rule.sentence}]
    payload = {"title": rule.title, "description": description, "origin": [rule.origin], "quotes": quotes}
    return _scripted(EMIT, {"type": "business_rule", "payload": payload})


def _ask(words: Phrases, before: str = "") -> Entry:
    questions = [
        {"id": each.id, "label": each.label, "type": "select", "options": list(each.options), "allow_other": True}
        if each.options
        else {"id": each.id, "label": each.label, "type": "textarea"}
        for each in words.form
    ]
    return Entry(text=before, tool_calls=(_scripted(ASK, {"questions": questions}),))


def _scripted(name: str, arguments: dict[str, object]) -> ScriptedCall:
    return ScriptedCall(name=name, arguments=json.dumps(arguments, ensure_ascii=False))


def _follow_up(conversation: Conversation, words: Phrases) -> str:
    return words.follow_ups[(len(conversation.said) - 1) % len(words.follow_ups)]


def _after_tools(conversation: Conversation, words: Phrases) -> Entry:
    """Report what was recorded, mend what can be mended, and leave the person with one question or a form."""
    if ASK not in conversation.tools:
        return Entry(text=_consolidation(conversation, words))
    failed = [result for result in conversation.fresh if result.call.name == EMIT and not result.is_stored]
    known = [result for result in failed if "already" in result.text]
    broken = [result for result in failed if "already" not in result.text]
    mended = _mended(conversation, broken) if len(failed) < MAX_FAILURES_OF_A_TURN else None
    if mended is not None:
        return Entry(tool_calls=(mended,))
    parts = [_recorded(conversation.fresh, words)]
    parts += [words.exists.format(title=result.payload.get("title", "")) for result in known]
    parts += [words.gave_up.format(reason=_first_sentence(result.text)) for result in broken[-1:]]
    report = " ".join(part for part in parts if part)
    if not conversation.has_asked:
        return _ask(words, report)
    return Entry(text=f"{report} {_maturity(conversation, words)}\n\n{_follow_up(conversation, words)}")


def _mended(conversation: Conversation, broken: list[Result]) -> ScriptedCall | None:
    """The same rule with the number of the last message that has one: the mistake a model makes most."""
    numbers = [said.seq for said in conversation.said if said.seq is not None]
    payload = broken[-1].payload if broken else {}
    if not payload or not numbers or payload.get("origin") == [numbers[-1]]:
        return None
    unquoted = {name: value for name, value in payload.items() if name != "quotes"}
    return _scripted(EMIT, {"type": "business_rule", "payload": {**unquoted, "origin": [numbers[-1]]}})


def _recorded(results: tuple[Result, ...], words: Phrases) -> str:
    titles = [str(result.payload.get("title", "")) for result in results if result.is_stored]
    if not titles:
        return ""
    if len(titles) == 1:
        return words.recorded_one.format(titles=titles[0])
    return words.recorded_many.format(titles=", ".join(f"**{title}**" for title in titles))


def _first_sentence(text: str) -> str:
    return text.removeprefix("Not stored: ").split(". ")[0].strip(". ") + "."


def _maturity(conversation: Conversation, words: Phrases) -> str:
    count = len(conversation.rules)
    phrase = words.maturity_ready if count >= RULES_OF_A_MATURE_IDEA else words.maturity_low
    return phrase.format(count=count_of(conversation.language, count)) if count else ""


def _consolidation(conversation: Conversation, words: Phrases) -> str:
    said = [each.text for each in conversation.said]
    prose = [text for text in said if not is_form(text)]
    quotes = "\n".join(f"> {quote(text)}\n" for text in prose[1 : 1 + MAX_QUOTES]) or "–"
    rules = "\n".join(
        f"{number}. **{rule['title']}.** {rule['description']}" for number, rule in enumerate(conversation.rules, 1)
    )
    parts = [
        words.summary_head.format(idea=quote(said[0]) + "." if said else "–", words=quotes.strip()),
        words.summary_rules.format(rules=rules or "–"),
        words.summary_out,
        words.summary_open.format(open=_follow_up(conversation, words)),
    ]
    return "\n\n".join(parts)
