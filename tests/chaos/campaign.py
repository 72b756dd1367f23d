"""Rounds: some stories at once, a fault among them, and then the oracle and the auditor."""

import random
import threading
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import psycopg

from contracts.events import AgentError, LogEvent, TurnEnded, TurnStarted
from tests.chaos import audit, director, oracle
from tests.chaos.faults import CONTROL, FAULTS, Scene
from tests.chaos.ledger import Ledger
from tests.chaos.oracle import Evidence
from tests.chaos.story import Story
from tests.chaos.takeover import Takeovers
from tests.plugins.house import House
from tests.plugins.stack import wait_until
from tests.system.person import Person

STORIES = 3
SPREAD_SECONDS = 3.0
"""A fault strikes first within this time of the stories' beginning, and then about every `PAUSE_SECONDS`."""
PAUSE_SECONDS = 5.0
MAX_STRIKES = 3
REST_SECONDS = 100.0
"""Longer than a hold lives: what a dead owner left is booked by then."""


@dataclass
class Tally:
    """What a campaign has seen so far."""

    rounds: int = 0
    strikes: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)
    stories: int = 0
    turns: int = 0
    events: int = 0
    calls: int = 0
    repeats: int = 0
    continues: int = 0
    bad_ends: Counter[str] = field(default_factory=Counter)
    """Turns that a person had to continue, by their reason."""
    errors: Counter[str] = field(default_factory=Counter)
    """What people were told, by its code and the words of whoever failed."""
    server_errors: list[str] = field(default_factory=list)
    start_ms: list[float] = field(default_factory=list)
    """Where nothing was hurt."""
    hurt_start_ms: list[float] = field(default_factory=list)
    restarts: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


@dataclass
class Campaign:
    """One house, hurt again and again; `seed` makes its dice fall the same way."""

    house: House
    seed: int
    tally: Tally = field(default_factory=Tally)

    def __post_init__(self) -> None:
        """The model's part is played by the director from here on."""
        self.house.models.otherwise = director.answer
        self.dice = random.Random(self.seed)
        self.ledger = Ledger(self.house.plan.addresses.migration_database_url)
        self.takeovers = Takeovers(self.house, self.ledger)

    def play(self, fault: str, stories: int = STORIES, strikes: int = MAX_STRIKES) -> list[str]:
        """One round; its complaints, each with the round it came from."""
        self.house.models.requests.clear()
        cast = [self._open() for _ in range(stories)]
        found, over = list[str](), threading.Event()
        threads = [threading.Thread(target=_live, args=(story, found), daemon=True) for story in cast]
        scene = Scene(self.house, self.ledger, self.dice, self.takeovers, self.tally.restarts, over)
        fate = threading.Thread(target=self._strike, args=(fault, strikes, scene, found), daemon=True)
        for thread in (*threads, fate):
            thread.start()
        for thread in threads:
            thread.join()
        over.set()
        fate.join()
        found += self._rest()
        found += [word for story in cast for word in self._judge(story)] + audit.of_house(self.ledger)
        into = self.tally.start_ms if fault == CONTROL else self.tally.hurt_start_ms
        into += [each for story in cast for each in starts_ms(story.talk.events)]
        self.tally.rounds += 1
        complaints = [f"round {self.tally.rounds} ({fault}): {word}" for word in found]
        self.tally.complaints += complaints
        return complaints

    def _open(self) -> Story:
        person = Person(self.house.stack)
        talk = person.open_session(person.create_project())
        talk.bind(self.house.models.url, f"model-{talk.session_id}")
        return Story(talk, random.Random(self.dice.random()))

    def _strike(self, fault: str, strikes: int, scene: Scene, found: list[str]) -> None:
        """Again and again while the stories go on, at random distances."""
        scene.over.wait(self.dice.random() * SPREAD_SECONDS)
        for _ in range(strikes):
            if scene.over.is_set():
                return
            try:
                done = FAULTS[fault](scene)
            except Exception as error:  # noqa: BLE001 - a fault that cannot strike is a complaint, not an end
                found.append(f"the fault did not strike: {error!r}")
                return
            (self.tally.strikes if done else self.tally.missed)[fault] += 1
            scene.over.wait(PAUSE_SECONDS * (0.5 + self.dice.random()))

    def _rest(self) -> list[str]:
        """Wait until nothing goes on any more."""
        busy: dict[str, int] = {}

        def rests() -> bool:
            nonlocal busy
            try:
                busy = self.ledger.busy()
            except psycopg.Error:
                return False
            return not busy

        try:
            wait_until(rests, REST_SECONDS)
        except AssertionError:
            return [f"does not come to rest: {busy}"]
        return []

    def _judge(self, story: Story) -> list[str]:
        talk = story.talk
        talk.events.clear()
        evidence = Evidence(talk.session_id, talk.read(), story.sent)
        asked = sum(request.body["model"] == f"model-{talk.session_id}" for request in self.house.models.requests)
        self._count(story, asked)
        found = oracle.complaints(evidence) + oracle.chain_whole(self.ledger, evidence)
        found += audit.of_session(self.ledger, talk.session_id, evidence.events, asked)
        return [*found, f"the log was:\n{talk.told()}"] if found else []

    def _count(self, story: Story, asked: int) -> None:
        tally, events = self.tally, story.talk.events
        tally.stories += 1
        tally.events += len(events)
        tally.calls += asked
        tally.repeats += len(oracle.repeats(events))
        tally.continues += story.continues
        ends = [event.payload for event in events if isinstance(event.payload, TurnEnded)]
        tally.bad_ends.update(f"{end.status} {end.reason}" for end in ends if end.reason)
        told = [event.payload for event in events if isinstance(event.payload, AgentError)]
        tally.errors.update(f"{error.code}: {error.diagnosis[:200]}" for error in told)
        tally.server_errors += story.talk.person.failures
        tally.turns += sum(event.payload.type == "turn.started" for event in events)


def _live(story: Story, found: list[str]) -> None:
    try:
        story.live()
    except Exception as error:  # noqa: BLE001 - whatever it is, the round must be judged
        found.append(f"{story.talk.session_id}: the story broke off: {error}")


def starts_ms(events: Sequence[LogEvent]) -> list[float]:
    """From each message that met an idle agent, as the log dates it, to the start of its turn."""
    found: list[float] = []
    by_seq = {event.seq: event for event in events}
    for event in events:
        if isinstance(event.payload, TurnStarted) and len(event.payload.taken) == 1:
            asked = by_seq[event.payload.taken[0]]
            if asked.seq + 1 == event.seq:
                found.append((event.created_at - asked.created_at).total_seconds() * 1_000)
    return found


def order(faults: Sequence[str], rounds: int, dice: random.Random) -> list[str]:
    """Every fault as often as any other, in no order, after one round that measures what nothing has hurt."""
    chosen: list[str] = []
    while len(chosen) < rounds:
        chosen += dice.sample(faults, len(faults))
    return [CONTROL, *chosen[:rounds]]
