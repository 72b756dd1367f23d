"""How the UX Designer's model is told what its turns take in."""

from collections.abc import Sequence

from contracts.events import HandoffStarted, LogEvent, ProductBrief
from engine.domain.saying import plainly

KICKOFF = """[harness] The person wants a prototype of this product.

{brief}

Read list_business_rules and list_backlog, then call propose_prototype once, with personas, journeys and screens."""
BRIEF = "Product brief:\n{summary}"
NO_BRIEF = "There is no brief in this session: the rules and stories say what is wanted."


def say(event: LogEvent, log: Sequence[LogEvent]) -> str:
    """A kickoff brings the brief along."""
    match event.payload:
        case HandoffStarted():
            briefs = [each.payload for each in log if isinstance(each.payload, ProductBrief)]
            return KICKOFF.format(brief=BRIEF.format(summary=briefs[-1].summary) if briefs else NO_BRIEF)
        case payload:
            return plainly(payload)
