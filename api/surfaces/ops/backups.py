"""What the launcher wrote of its last backup, for whoever watches the house."""

import datetime as dt
import json
import os
from dataclasses import dataclass
from pathlib import Path

RECORD = "backup.json"


@dataclass(frozen=True)
class LastBackup:
    """`error` is empty when it went well; `size_bytes` is 0 when not."""

    began_at: dt.datetime
    seconds: float
    is_ok: bool
    size_bytes: int
    error: str

    def age_seconds(self, now: dt.datetime) -> float:
        return (now - self.began_at).total_seconds()


def last_backup(home: str | None = None) -> LastBackup | None:
    """Null when none was taken from this home, or when no launcher said which home it is."""
    folder = home or os.environ.get("MUTIRAO_HOME", "")
    try:
        told = json.loads((Path(folder) / RECORD).read_text()) if folder else None
    except FileNotFoundError:
        return None
    if told is None:
        return None
    began_at = dt.datetime.fromtimestamp(told["began_at"], dt.UTC)
    return LastBackup(began_at, told["seconds"], told["is_ok"], told["bytes"], told["error"])
