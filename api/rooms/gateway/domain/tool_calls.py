"""Tool calls put together from fragments, whatever the provider does with index and id."""

import hashlib
import json
import string
from collections.abc import Mapping
from dataclasses import dataclass, field

from api.rooms.gateway.domain.characters import mend
from contracts.routes.model import ModelToolCall

ALPHABET = string.ascii_letters + string.digits
ID_LENGTH = 9
"""The one length and alphabet that every known server takes back."""


@dataclass
class Draft:
    """`wire_id` is the provider's own id, kept aside: it may be missing or repeated."""

    index: int | None
    wire_id: str
    name: str = ""
    parts: list[str] = field(default_factory=list)

    def is_over(self, name: str) -> bool:
        """Whether a fragment that names a tool begins another call rather than going on with this one."""
        if not name or not self.parts:
            return False
        return name != self.name or _is_json("".join(self.parts))


@dataclass
class Calls:
    """Fragments merge by index and id; a new id is a new call."""

    drafts: list[Draft] = field(default_factory=list)
    size: int = 0

    def feed(self, fragment: Mapping[str, object]) -> None:
        """One element of `delta.tool_calls`; unknown shapes are ignored."""
        function = fragment.get("function")
        function = function if isinstance(function, Mapping) else {}
        index, wire_id = fragment.get("index"), _text(fragment.get("id"))
        name, arguments = _text(function.get("name")), _text(function.get("arguments"))
        draft = self._draft(index if type(index) is int else None, wire_id, name)
        if name != draft.name:
            draft.name += name
        if arguments:
            draft.parts.append(arguments)
            self.size += len(arguments)

    def close(self, index: object) -> None:
        """The provider says that this call is complete: one without any arguments was called with none."""
        found = [draft for draft in self.drafts if draft.index == index]
        if found and not found[-1].parts:
            found[-1].parts.append("{}")

    def _draft(self, index: int | None, wire_id: str, name: str) -> Draft:
        found = self._by_id(index, wire_id) if wire_id else self._by_index(index, name)
        if found is None or found.is_over(name):
            found = Draft(index, wire_id)
            self.drafts.append(found)
        found.wire_id = found.wire_id or wire_id
        return found

    def _by_index(self, index: int | None, name: str) -> Draft | None:
        if index is None:
            return None if name or not self.drafts else self.drafts[-1]
        at_index = [draft for draft in self.drafts if draft.index == index]
        return at_index[-1] if at_index else None

    def _by_id(self, index: int | None, wire_id: str) -> Draft | None:
        """The id decides; the index only tells repeated ids apart, or finds the call whose id comes late."""
        for draft in reversed(self.drafts):
            is_same_place = index is None or draft.index in (None, index)
            if draft.wire_id == wire_id and is_same_place:
                return draft
        late = [draft for draft in self.drafts if not draft.wire_id and index is not None and draft.index == index]
        return late[-1] if late else None

    def finished(self, seed: str) -> tuple[ModelToolCall, ...]:
        """In order of arrival; arguments verbatim, valid or not; ids of our own, the same for the same `seed`."""
        return tuple(
            ModelToolCall(id=_own_id(f"{seed}/{number}"), name=mend(draft.name), arguments=mend("".join(draft.parts)))
            for number, draft in enumerate(self.drafts)
        )

    def wire_ids(self) -> list[str]:
        return [mend(draft.wire_id) for draft in self.drafts]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _own_id(seed: str) -> str:
    number = int.from_bytes(hashlib.sha256(seed.encode()).digest())
    letters = []
    for _ in range(ID_LENGTH):
        number, rest = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[rest])
    return "".join(letters)
