"""How the Product Owner's model is told what its turns take in."""

from collections.abc import Sequence
from uuid import UUID

from contracts.events import (
    BusinessRule,
    HandoffStarted,
    LogEvent,
    ProductBrief,
    StoryPromotionReturned,
)
from engine.domain.saying import plainly

KICKOFF = """[harness] The person accepted the product brief, and the backlog is yours now.

{brief}

Your work in this turn:
1. Read list_business_rules and list_backlog: some of it may be there already.
2. Make epics, and give every business rule at least one story that cites it by its code.
3. Make complete stories: functional requirements, acceptance criteria, definition of ready, definition of done, rules.
4. Read the answers of your tools. A story that waits for a person's promotion is complete; that is no error and
   nothing to mend.
5. Add tasks where the work of a story is clear.
6. When every rule is covered, offer the work to the architect with offer_handoff, and tell the person in a few
   sentences what you made and what waits for them.

Two things are not negotiable: an epic without a story blocks the work, so never leave one; and where something is
missing, ask the person with ask_structured_questions instead of stopping or inventing it."""
BRIEF = "Product brief:\n{summary}\n\nBusiness rules of the brief:\n{rules}"
NO_BRIEF = "There is no brief in this session: begin with list_business_rules."
RETURNED = """[harness] The person gave {code} “{title}” back, and this comes before everything else. Their reason:
{reason}
Read the story in list_backlog, change it with edit_story so that the reason is answered, and say what you changed. If
the reason leaves open what is wanted, ask."""


def say(event: LogEvent, log: Sequence[LogEvent]) -> str:
    """A kickoff names the brief and its rules by code; a story that came back takes precedence."""
    match event.payload:
        case HandoffStarted() as started:
            return KICKOFF.format(brief=brief_of(started, log))
        case StoryPromotionReturned(code=code, title=title, reason=reason):
            return RETURNED.format(code=code, title=title, reason=reason)
        case payload:
            return plainly(payload)


def brief_of(started: HandoffStarted, log: Sequence[LogEvent]) -> str:
    """The brief that was handed over, or the last one of the session."""
    briefs = [event for event in log if isinstance(event.payload, ProductBrief)]
    chosen = next((event for event in briefs if event.id == started.artifact_event_id), briefs[-1] if briefs else None)
    if chosen is None or not isinstance(chosen.payload, ProductBrief):
        return NO_BRIEF
    rules = "\n".join(_rules(chosen.payload.rules, log))
    return BRIEF.format(summary=chosen.payload.summary, rules=rules)


def _rules(ids: Sequence[UUID], log: Sequence[LogEvent]) -> list[str]:
    known = {event.id: event.payload for event in log if isinstance(event.payload, BusinessRule)}
    rules = [known[each] for each in ids if each in known]
    return [f"{rule.code or 'R-?'} “{rule.title}”: {rule.description}" for rule in rules]
