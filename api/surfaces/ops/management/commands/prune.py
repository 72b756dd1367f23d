"""Take away what has served: delivered messages, old answers, texts of ended calls, sign-ins that ran out."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from api.housekeeping import DEFAULT_DAYS, prune

MAX_DAYS = 36_500


class Command(BaseCommand):
    help = "Prunes in small batches, beside running services. The event log and the usage are never touched."
    requires_system_checks = ()  # they load every page, and this must start quickly

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only count")
        parser.add_argument("--days", type=int, default=DEFAULT_DAYS, help=f"older than these (default {DEFAULT_DAYS})")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["days"] <= MAX_DAYS:
            raise CommandError(f"--days is 1 to {MAX_DAYS}: nothing was pruned.")
        for name, count in prune(timedelta(days=options["days"]), is_dry=options["dry_run"]).items():
            self.stdout.write(f"{name}: {count}")
