"""The relay process."""

import signal
from typing import Any

from django.core.management.base import BaseCommand

from api.relay.loop import Relay


class Command(BaseCommand):
    help = "Drains the outbox and sweeps leases and holds each second, until SIGTERM."

    def handle(self, *args: Any, **options: Any) -> None:
        relay = Relay()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: relay.stop.set())
        relay.run()
