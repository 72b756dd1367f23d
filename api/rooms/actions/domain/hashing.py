"""What an approval is bound to."""

import hashlib
import json


def hash_of(action_type: str, title: str, content: dict[str, object]) -> str:
    """SHA-256 of one canonical text: the same content always has the same hash, and another never."""
    told = {"action_type": action_type, "title": title, "content": content}
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
