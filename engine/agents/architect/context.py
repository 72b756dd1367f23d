"""How the Architect's model is told what its turns take in."""

from collections.abc import Sequence

from contracts.events import (
    ActionApproved,
    ActionDenied,
    ArchitectureConfirmed,
    HandoffStarted,
    LogEvent,
    ProductBrief,
)
from engine.domain.saying import plainly

KICKOFF = """[harness] The person accepted the handoff, and the architecture is yours now.

{brief}

Your work in this turn:
1. Read list_business_rules, list_backlog and read_architecture: some of it may be there already.
2. Make the module map with create_module_map, without circles.
3. Say with assign_story_modules where each story is built; make these calls together.
4. Choose the container image with choose_project_image.
5. Propose at least one decision with propose_adr.
6. Draw the system with create_c4_diagram, after the module map.
7. Note tensions between rules and architecture with emit_insight.

Then tell the person in a few sentences what you decided, what waits for their approval, and that they confirm the
architecture when they are content with it. Where something is missing, ask with ask_structured_questions."""
BRIEF = "Product brief:\n{summary}"
NO_BRIEF = "There is no brief in this session: the rules and stories say what is wanted."
CONFIRMED = (
    "[harness] The person confirmed the architecture (module map version {version}). Sum it up for the Infra Lead in "
    "plain text: modules, image, decisions, what to watch out for. Write nothing else: the workspace offers the work."
)
APPROVED = "[harness] The person approved your proposal “{title}”. It is carried out without you: say so in a sentence."
DENIED = "[harness] The person denied your proposal “{title}”, with this reason: {reason}\nTake it up."


def say(event: LogEvent, log: Sequence[LogEvent]) -> str:
    """A decision on a proposal arrives like any other message."""
    match event.payload:
        case HandoffStarted():
            return KICKOFF.format(brief=_brief(log))
        case ArchitectureConfirmed(map_version=version):
            return CONFIRMED.format(version=version)
        case ActionApproved(title=title):
            return APPROVED.format(title=title)
        case ActionDenied(title=title, reason=reason):
            return DENIED.format(title=title, reason=reason)
        case payload:
            return plainly(payload)


def _brief(log: Sequence[LogEvent]) -> str:
    briefs = [event.payload for event in log if isinstance(event.payload, ProductBrief)]
    return BRIEF.format(summary=briefs[-1].summary) if briefs else NO_BRIEF
