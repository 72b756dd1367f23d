"""Sessions in both languages: one told to its end with everything that can go wrong on the way, and quieter ones."""

import time
from collections.abc import Callable
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.handoffs import services as handoffs
from api.rooms.kernel.ids import new_id
from api.rooms.turns import services as turns
from contracts.events import Actor, LogEvent
from contracts.vocabulary import ActorKind, Language, SessionKind
from tests.browser.furniture.events import events_of
from tests.browser.words import WORDS

Sessions = dict[str, UUID]
PATIENCE_SECONDS = 60.0
POLL_SECONDS = 0.1
NAMES = {
    Language.ENGLISH: {
        "talk": "How lending works",
        "closed": "What happens when a book is lost, is lent on, or when somebody moves away",
        "deleted": "Draft",
        "empty": "Opening hours",
    },
    Language.PORTUGUESE: {
        "talk": "Como funciona o empréstimo",
        "closed": "O que acontece quando um livro se perde, é repassado ou quando alguém se muda",
        "deleted": "Rascunho",
        "empty": "Horário de funcionamento",
    },
}


def hold(person: UUID, homes: dict[Language, UUID]) -> dict[Language, Sessions]:
    """The conversations of both languages side by side, since the agents take their time."""
    found = {language: _open(person, language, project) for language, project in homes.items()}
    for text, names in (("idea", ("talk", "closed")), ("rules", ("talk",))):
        begun = [(language, sessions[name]) for language, sessions in found.items() for name in names]
        for language, session in begun:
            turns.send_message(session, person, getattr(WORDS[language], text), str(new_id()))
        for _, session in begun:
            _wait(session, lambda types: types[-1] == "turn.ended")
    for sessions in found.values():
        turns.close_session(sessions["closed"], person)
        handoffs.confirm_readiness(sessions["talk"], person)
    for language, sessions in found.items():
        _wait(sessions["talk"], lambda types: types[-1] == "turn.ended" and "handoff.offered" in types)
        _append(sessions["talk"], language)
    return found


def _open(person: UUID, language: Language, project: UUID) -> Sessions:
    kinds = {"empty": SessionKind.CONSULTATIVE}
    return {
        name: agent_sessions.open_session(project, person, kinds.get(name, SessionKind.CREATIVE), title)
        for name, title in NAMES[language].items()
    }


def _read(session: UUID) -> tuple[LogEvent, ...]:
    return log.events(session, 0, 1_000).events


def _wait(session: UUID, holds: Callable[[list[str]], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds([event.payload.type for event in _read(session)]):
        assert time.monotonic() < deadline, [event.payload.type for event in _read(session)]
        time.sleep(POLL_SECONDS)


def _append(session: UUID, language: Language) -> None:
    """What the rehearsal never does."""
    creative = Actor(kind=ActorKind.AGENT, id="creative")
    with transaction.atomic():
        for payload in events_of(language):
            agent_sessions.append(session, creative, payload)
