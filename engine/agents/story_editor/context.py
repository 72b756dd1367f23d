"""How the Story Editor's model is told what its turns take in."""

from collections.abc import Sequence

from contracts.events import HandoffStarted, LogEvent
from engine.domain.saying import plainly

KICKOFF = (
    "[harness] The person wants to work with you on the stories of the epic {epic}. Read get_work_items, then tell "
    "them in a few sentences how it stands: which stories have no tasks, which lack something. Ask what they want to "
    "do. Change nothing yet."
)


def say(event: LogEvent, log: Sequence[LogEvent]) -> str:
    """A kickoff names the epic."""
    del log
    match event.payload:
        case HandoffStarted(epic=epic):
            return KICKOFF.format(epic=epic or "that they named")
        case payload:
            return plainly(payload)
