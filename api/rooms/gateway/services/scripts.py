"""Give a session's rehearsal a script, and find the entry that a call plays."""

from uuid import UUID

from api.rooms.gateway.domain.scripts import Entry, Script
from api.rooms.gateway.models import RehearsalCue, RehearsalScript


def set_script(session_id: UUID, script: Script) -> None:
    """Replaces the session's script; it begins at its first entry."""
    RehearsalCue.objects.filter(session_id=session_id).delete()
    RehearsalScript.objects.update_or_create(session_id=session_id, defaults={"script": script.model_dump_json()})


def entry_for(session_id: UUID, instance_id: UUID, step: int, call: int) -> Entry | None:
    """Under the session's lock. The same call plays the same entry; None when there is no script or it is over."""
    row = RehearsalScript.objects.filter(session_id=session_id).first()
    if row is None:
        return None
    entries = Script.model_validate_json(row.script)
    number = _number(session_id, instance_id, step, call)
    if entries.is_looped and entries.entries:
        number %= len(entries.entries)
    return entries.entries[number] if number < len(entries.entries) else None


def _number(session_id: UUID, instance_id: UUID, step: int, call: int) -> int:
    cues = RehearsalCue.objects.filter(session_id=session_id)
    known = cues.filter(instance_id=instance_id, step=step, call=call).values_list("entry", flat=True).first()
    if known is not None:
        return known
    number = cues.count()
    RehearsalCue.objects.create(session_id=session_id, instance_id=instance_id, step=step, call=call, entry=number)
    return number
