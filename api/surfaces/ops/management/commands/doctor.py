"""Examine everything that Mutirão stands on; exit code 1 when something fails."""

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from api.surfaces.ops.doctor.answers import State
from api.surfaces.ops.doctor.questions import examine


class Command(BaseCommand):
    """Each line says how it stands, what was seen and what to do."""

    help = "Look at the database, Valkey, the engine, the outbox, workers, keys, disk, time zones and backups."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON document")

    def handle(self, *args: Any, **options: Any) -> None:
        answers = examine()
        if options["json"]:
            self.stdout.write(json.dumps([asdict(answer) for answer in answers]))
        else:
            for answer in answers:
                advice = f"  ({answer.advice})" if answer.advice else ""
                self.stdout.write(f"{answer.state:4}  {answer.subject:10}  {answer.seen}{advice}")
        if any(answer.state is State.FAIL for answer in answers):
            sys.exit(1)
