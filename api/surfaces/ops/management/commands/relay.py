"""The relay process."""

import signal
from typing import Any

from django.core.management.base import BaseCommand

from api.relay.loop import Relay


class Command(BaseCommand):
    help = "Drains the outbox and sweeps leases and holds each second, until SIGTERM."
    requires_system_checks = ()  # they load every page, and this must start quickly

    def handle(self, *args: Any, **options: Any) -> None:
        relay = Relay()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: relay.stop.set())
        relay.run()
