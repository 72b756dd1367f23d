"""The session's log as the worker knows it: read once, then kept up with what its own steps answer."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from contracts.events import LogEvent
from contracts.routes.instances import HISTORY, HistoryQuery
from engine.clients.api import ApiClient


@dataclass
class History:
    """Dense by seq up to `head`; what lies beyond a gap waits until the gap is read."""

    api: ApiClient
    instance_id: UUID
    by_seq: dict[int, LogEvent] = field(default_factory=dict)
    head: int = 0

    def add(self, events: Iterable[LogEvent]) -> None:
        """Take in events in any order, known ones included."""
        self.by_seq.update((event.seq, event) for event in events)
        while self.head + 1 in self.by_seq:
            self.head += 1

    @property
    def has_gap(self) -> bool:
        """Whether others wrote events that are not known here."""
        return self.head < max(self.by_seq, default=0)

    @property
    def events(self) -> tuple[LogEvent, ...]:
        """All that is known, in order."""
        return tuple(self.by_seq[seq] for seq in sorted(self.by_seq))

    async def load(self) -> None:
        """Read everything beyond `head`."""
        has_more = True
        while has_more:
            query = HistoryQuery(after=self.head)
            page = await self.api.call(HISTORY, query, instance_id=self.instance_id)
            before = self.head
            self.add(page.events)
            has_more = page.has_more and self.head > before

    async def fill(self) -> None:
        """Read only when something is missing."""
        if self.has_gap:
            await self.load()
