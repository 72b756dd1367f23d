"""Stand-in play."""

from api.rooms.gateway.domain.scripts import Entry
from contracts.routes.model import ModelCall


def perform(call: ModelCall) -> Entry:
    return Entry(text="Rehearsal: I heard you.")
