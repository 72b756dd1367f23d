"""Seal every stored key anew under the newest sealing key; may be interrupted and begun again."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from api.rooms.gateway import services as gateway


class Command(BaseCommand):
    """Each key is a transaction of its own: whatever dies, every key stays readable by the old key or the new."""

    help = (
        "Put the new key first in MUTIRAO_CREDENTIAL_KEYS and keep the old one behind it, run this, "
        "and take the old key out when --check counts none."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only count the keys that still need an older one")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            counted = gateway.count_old_seals()
            self.stdout.write(f"{counted.old} of {counted.all} keys still need an older sealing key.")
        else:
            done, unreadable = gateway.rotate_credentials(lambda count: self.stdout.write(f"{count} keys done …"))
            self.stdout.write(f"{done} keys are sealed under the newest sealing key.")
            if unreadable:
                raise CommandError(
                    f"{unreadable} keys are opened by no sealing key that is configured: enter them again."
                )
