"""The one text of an event: what is stored, hashed and sent. Only `seq` is filled in by the database."""

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from contracts.base import Message
from contracts.events import Actor


@dataclass(frozen=True)
class Canonical:
    """The text is `before + str(seq) + after`."""

    before: str
    after: str

    def text(self, seq: int) -> str:
        return f"{self.before}{seq}{self.after}"


def write(
    event_id: UUID, session_id: UUID, actor: Actor, to_agent: str | None, at: datetime, payload: Message
) -> Canonical:
    return Canonical(
        before=f'{{"id":"{event_id}","session_id":"{session_id}","seq":',
        after=(
            f',"actor":{actor.model_dump_json()},"to_agent":{json.dumps(to_agent)}'
            f',"created_at":"{at.isoformat()}","payload":{payload.model_dump_json()}}}'
        ),
    )
