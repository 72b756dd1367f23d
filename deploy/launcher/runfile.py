"""run.json: where Mutirão is, who may sign in and which processes it has. Present exactly while all of it runs."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from deploy.launcher.keyring import write_private

SIGN_IN = ("email", "password", "token", "workspace", "project")


@dataclass
class RunFile:
    """The file and what is in it so far."""

    path: Path
    document: dict[str, object] = field(default_factory=dict)

    def publish(self, url: str, seeded: dict[str, object], pids: dict[str, int]) -> None:
        """Say that all is up. Without a seed (the database is not ours) nobody's sign-in is known: null."""
        self.document = {"url": url, **{name: seeded.get(name) for name in SIGN_IN}, "pids": pids}
        self._write()

    def follow(self, pids: dict[str, int]) -> None:
        """Note that processes changed."""
        if self.document:
            self.document["pids"] = pids
            self._write()

    def withdraw(self) -> None:
        """Say that it no longer runs."""
        self.document = {}
        self.path.unlink(missing_ok=True)

    def _write(self) -> None:
        write_private(self.path, json.dumps(self.document, indent=2) + "\n")
