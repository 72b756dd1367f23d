"""Erase the log of one session, as the owner of the tables; a tombstone stays."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError

from api.rooms.agent_sessions.services.erasing import erase_log
from api.rooms.kernel.refusals import Refusal


class Command(BaseCommand):
    help = "Erases what a session's people and agents said; head hash, count and reason stay."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("session", type=UUID)
        parser.add_argument("--reason", required=True, help="why, for whoever asks later")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            erased = erase_log(options["session"], options["reason"])
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        except ProgrammingError as error:
            raise CommandError("Only the owner of the tables may: set MIGRATION_DATABASE_URL.") from error
        self.stdout.write(f"{erased} events are erased; the tombstone of {options['session']} stays.")
