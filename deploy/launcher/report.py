"""What the person at the terminal reads."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Report:
    """Prints each step when it is done, with the seconds since the start."""

    def __init__(self) -> None:
        """The clock starts here."""
        self._started_at = time.monotonic()

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """A part of the start."""
        yield
        self.done(name)

    def done(self, name: str) -> None:
        """`name` is up."""
        print(f"{time.monotonic() - self._started_at:7.1f} s  {name}", flush=True)

    def welcome(self, document: dict[str, object], home: Path) -> None:
        """Where to go and how to sign in."""
        known = [name for name in ("email", "password", "token") if document[name]]
        lines = ["", f"Mutirão runs at {document['url']}", *(f"  {name:<9} {document[name]}" for name in known)]
        if not document["token"]:
            lines.append("  The database is your own: sign in with an account that it holds.")
        print("\n".join([*lines, f"Data, secrets and logs are in {home}. Ctrl-C stops it.", ""]), flush=True)
