"""One person's whole story in one session; whatever dies meanwhile, it ends as it should."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from contracts.events import HandoffOffered, LogEvent, StructuredQuestion, TurnEnded, TurnStarted
from contracts.vocabulary import TurnStatus
from tests.chaos import director
from tests.system.person import Talk

SETTLE_SECONDS = 120.0
TRIES = 6
TITLES = ("Late stands pay", "Two stands each")


@dataclass
class Story:
    """`sent` are the client's own ids in the order in which their messages were accepted."""

    talk: Talk
    dice: random.Random
    sent: list[str] = field(default_factory=list)
    continues: int = 0
    is_accepted: bool = False
    took_seconds: float = 0.0

    def live(self) -> None:
        """From the first word to the person's decision about the handoff."""
        began = time.monotonic()
        self.say("we want a street market")
        self.settle()
        for text in ("with fruit", "with music", "on Saturdays"):
            self.say(text)
        self.settle()
        self._until_done(self._dictate, lambda: self._rules() == set(TITLES))
        self._until_done(self._be_asked, lambda: bool(self.talk.of_type("chat.structured_question")))
        self._answer()
        self._until_done(self._be_ready, lambda: bool(self.talk.of_type("handoff.offered")))
        self._decide()
        self.took_seconds = time.monotonic() - began

    def say(self, text: str) -> None:
        """One message under an id of its own."""
        client_id = f"{len(self.sent)}-{self.dice.getrandbits(64):016x}"
        self.talk.say(text, client_id)
        self.sent.append(client_id)

    def settle(self) -> None:
        """Wait until everything was taken and every turn has ended; press Continue where one ended badly."""
        for _ in range(TRIES):
            self.talk.until(is_settled, SETTLE_SECONDS)
            if not self._ended_badly():
                return
            self.continues += 1
            self.talk.person.ask("POST", f"{self.talk.path}/continue", {})
            time.sleep(0.2)
        raise AssertionError(f"still not settled after {TRIES} continues\n{self.talk.told()}")

    def _ended_badly(self) -> bool:
        """A failure of the machinery; what policy or the model refuses is not continued."""
        last = next((e.payload for e in reversed(self.talk.events) if isinstance(e.payload, TurnEnded)), None)
        return last is not None and last.status in (TurnStatus.INTERRUPTED, TurnStatus.FAILED)

    def _until_done(self, act: Callable[[], None], is_done: Callable[[], bool]) -> None:
        for _ in range(TRIES):
            act()
            self.settle()
            if is_done():
                return
        raise AssertionError(f"{act.__name__} came to nothing\n{self.talk.told()}")

    def _dictate(self) -> None:
        self.say(director.RULES + " | ".join(title for title in TITLES if title not in self._rules()))

    def _rules(self) -> set[str]:
        return {getattr(event.payload, "title", "") for event in self.talk.of_type("artifact.business_rule")}

    def _be_asked(self) -> None:
        self.say(director.ASK + "what you need to know")

    def _answer(self) -> None:
        """Answering again after a lost answer is refused by name: it was taken the first time."""
        asked = self.talk.of_type("chat.structured_question")[-1]
        assert isinstance(asked.payload, StructuredQuestion)
        answers = {question.id: question.options[0] for question in asked.payload.questions}
        response = self.talk.person.ask("POST", f"structured-question/{asked.id}/answer", {"answers": answers})
        assert response.is_success or response.json()["code"] == "already_answered", response.text
        self.sent.append(f"answer-{asked.id}")
        self.settle()

    def _be_ready(self) -> None:
        self.talk.person.act("POST", f"{self.talk.path}/readiness", {})

    def _decide(self) -> None:
        offered = self.talk.of_type("handoff.offered")[-1].payload
        assert isinstance(offered, HandoffOffered)
        self.is_accepted = self.dice.random() < 0.5
        decision = "accept" if self.is_accepted else "reject"
        self.talk.person.act("POST", f"handoffs/{offered.handoff_id}/{decision}", {"reason": "Say more about rain."})
        self.settle()


def is_settled(events: list[LogEvent]) -> bool:
    """Every addressed event was taken, every turn that started has ended."""
    started: dict[UUID, TurnStarted] = {}
    for event in events:
        if isinstance(event.payload, TurnStarted):
            started[event.payload.turn_id] = event.payload
        elif isinstance(event.payload, TurnEnded):
            started.pop(event.payload.turn_id, None)
    taken = {seq for e in events if isinstance(e.payload, TurnStarted) for seq in e.payload.taken}
    return not started and {event.seq for event in events if event.to_agent} <= taken
