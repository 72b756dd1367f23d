"""For development: notices that the services' code changed."""

import time
from pathlib import Path

from deploy.launcher.options import ROOT

PACKAGES = ("contracts", "api", "engine")
EVERY_SECONDS = 1.0


def newest_change(root: Path) -> float:
    """When the code was changed last."""
    files = (file for package in PACKAGES for file in (root / package).rglob("*.py"))
    return max((file.stat().st_mtime for file in files), default=0.0)


class CodeWatch:
    """Tells once for each change."""

    def __init__(self, root: Path = ROOT) -> None:
        """What is there now is known."""
        self._root = root
        self._looked_at = time.monotonic()
        self._known = newest_change(root)

    def has_changed(self) -> bool:
        """Whether the code changed since the last answer; looks at most once a second."""
        if time.monotonic() - self._looked_at < EVERY_SECONDS:
            return False
        self._looked_at = time.monotonic()
        known, self._known = self._known, newest_change(self._root)
        return self._known > known
