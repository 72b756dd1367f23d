"""Walk the hash chain of every session, or of those named, and name the first bad seq."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from api.rooms.agent_sessions.models import Session
from api.rooms.agent_sessions.selectors import verify_log


class Command(BaseCommand):
    help = "Verifies that no event was altered, removed, inserted or cut off."
    requires_system_checks = ()  # they load every page, and this must start quickly

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("session", nargs="*", type=UUID)

    def handle(self, *args: Any, **options: Any) -> None:
        ids = options["session"] or list(Session.objects.order_by("created_at").values_list("id", flat=True))
        broken = 0
        for session_id in ids:
            found = verify_log(session_id)
            if found is not None:
                broken += 1
                self.stderr.write(f"{session_id}: seq {found.seq} is {found.what}")
        if broken:
            raise CommandError(f"{broken} of {len(ids)} logs are not whole.")
        self.stdout.write(f"{len(ids)} logs are whole.")
