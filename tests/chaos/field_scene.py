"""Where a field case plays: a conversation, its model's server, and a fault that the case lets strike when it hurts."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from contracts.events import TurnEnded, TurnStarted
from tests.chaos import oracle
from tests.chaos.faults import Scene, Strike
from tests.chaos.ledger import Ledger
from tests.chaos.oracle import Evidence
from tests.chaos.story import is_settled
from tests.fakes.model_server import ModelServer, Recorded, Reply
from tests.system.person import Person, Talk

MAX_DELAY_SECONDS = 1.5
SETTLE_SECONDS = 120.0
HELD_BY_THE_LOG = (oracle.dense, oracle.all_said, oracle.taken_once, oracle.ended_once, oracle.tools_answered)


@dataclass
class Case:
    """`sent` are the client's ids of the messages that were accepted, in order."""

    talk: Talk
    models: ModelServer
    scene: Scene
    fault: Strike
    dice: random.Random
    sent: list[str] = field(default_factory=list)
    _fate: threading.Thread | None = None

    @property
    def person(self) -> Person:
        return self.talk.person

    @property
    def ledger(self) -> Ledger:
        return self.scene.ledger

    def models_play(self, otherwise: Callable[[Any], Reply]) -> None:
        """How the model answers from here on, one answer a request."""
        self.models.otherwise = otherwise

    def strike(self) -> None:
        """The fault strikes within a moment, while the case goes on."""
        delay = self.dice.random() * MAX_DELAY_SECONDS
        self._fate = threading.Thread(target=self._after, args=(delay,), daemon=True)
        self._fate.start()

    def _after(self, delay: float) -> None:
        time.sleep(delay)
        self.fault(self.scene)

    def say(self, text: str, client_id: str | None = None) -> None:
        """One message that was accepted."""
        client_id = client_id or uuid4().hex
        self.talk.say(text, client_id)
        if client_id not in self.sent:
            self.sent.append(client_id)

    def settle(self) -> None:
        """Everything addressed was taken, every turn has ended; a turn that the machinery lost is continued."""
        for _ in range(6):
            self.talk.until(is_settled, SETTLE_SECONDS)
            last = next((e.payload for e in reversed(self.talk.events) if isinstance(e.payload, TurnEnded)), None)
            if last is None or last.status != "interrupted":
                return
            self.person.ask("POST", f"{self.talk.path}/continue", {})
            self.until_started()
        raise AssertionError(f"still not settled\n{self.talk.told()}")

    def until_started(self) -> None:
        """A turn runs."""
        seen = len(self.talk.of_type("turn.started"))
        self.talk.until(lambda events: sum(isinstance(e.payload, TurnStarted) for e in events) > seen, SETTLE_SECONDS)

    def until_asked(self, count: int = 1, seconds: float = 60.0) -> None:
        """The model was asked so often."""
        self.models.wait_for(lambda seen: len(seen) >= count, seconds)

    def asked(self) -> list[Recorded]:
        return list(self.models.requests)

    def finish(self) -> list[str]:
        """Wait for the fault to be over and read everything anew; what the log alone shows to be wrong."""
        if self._fate is not None:
            self._fate.join()
        self.talk.events.clear()
        evidence = Evidence(self.talk.session_id, self.talk.read(), self.sent)
        found = [word for check in HELD_BY_THE_LOG for word in check(evidence)]
        return found + oracle.chain_whole(self.ledger, evidence) + list(self.person.failures)
