"""Write a signed copy of every log's head to a folder outside the database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from api.rooms.agent_sessions.anchoring import write_anchor


class Command(BaseCommand):
    help = "Writes an anchor; the relay does it each day when MUTIRAO_ANCHOR_FOLDER and MUTIRAO_ANCHOR_KEY are set."
    requires_system_checks = ()  # they load every page, and this must start quickly

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, help="a folder; MUTIRAO_ANCHOR_FOLDER otherwise")

    def handle(self, *args: Any, **options: Any) -> None:
        folder, key = (
            options["to"] or settings.ENVIRONMENT.mutirao_anchor_folder,
            settings.ENVIRONMENT.mutirao_anchor_key,
        )
        if not folder or not key:
            raise CommandError("Set MUTIRAO_ANCHOR_KEY (32 characters or more), and MUTIRAO_ANCHOR_FOLDER or --to.")
        try:
            path = write_anchor(Path(folder), key.encode())
        except OSError as error:
            raise CommandError(f"{folder}: {error}") from error
        self.stdout.write(f"{path}")
