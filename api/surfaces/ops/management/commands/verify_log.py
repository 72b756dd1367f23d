"""Walk the hash chain of every session, or of those named, and name the first bad seq; or hold all to an anchor."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from api.rooms.agent_sessions.anchoring import verify_anchor
from api.rooms.agent_sessions.domain.anchors import BadAnchor
from api.rooms.agent_sessions.models import Session
from api.rooms.agent_sessions.verifying import verify_log


class Command(BaseCommand):
    help = "Verifies that no event was altered, removed, inserted or cut off."
    requires_system_checks = ()  # they load every page, and this must start quickly

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("session", nargs="*", type=UUID)
        parser.add_argument("--anchor", type=Path, help="a file of anchor_logs: also shows what a chain cannot see")

    def handle(self, *args: Any, **options: Any) -> None:
        walked = broken = 0
        for session_id in options["session"] or _all():
            walked += 1
            found = verify_log(session_id)
            if found is not None:
                broken += 1
                self.stderr.write(f"{session_id}: seq {found.seq} is {found.what}")
        broken += self._against(options["anchor"]) if options["anchor"] else 0
        if broken:
            raise CommandError(f"{broken} of {walked} logs are not whole.")
        self.stdout.write(f"{walked} logs are whole.")

    def _against(self, path: Path) -> int:
        """How many logs are not what the anchor saw."""
        key = settings.ENVIRONMENT.mutirao_anchor_key
        if not key:
            raise CommandError("Set MUTIRAO_ANCHOR_KEY to the key that signed the anchor.")
        broken = 0
        try:
            for anchored, found in verify_anchor(path, key.encode()):
                broken += 1
                self.stderr.write(f"{anchored.session_id}: seq {found.seq} is {found.what}")
        except (OSError, UnicodeDecodeError, BadAnchor) as error:
            raise CommandError(f"{path}: {error}") from error
        return broken


def _all() -> Iterator[UUID]:
    return Session.objects.order_by("created_at").values_list("id", flat=True).iterator(chunk_size=1000)
