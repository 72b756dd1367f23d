"""`python -m tests.chaos.writers COUNT SEED PROJECT USER`: writers that are told to go (SIGTERM), one after another.

Each is forked from a process that is ready, writes as fast as it can, and dies within one of its first commits.
"""

import os
import random
import signal
import sys
import time
from typing import NoReturn
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "api.settings")
django.setup()

from api.rooms.agent_sessions import services as agent_sessions  # noqa: E402 - after setup
from api.rooms.kernel.ids import new_id  # noqa: E402
from api.rooms.turns import services as turns  # noqa: E402
from contracts.vocabulary import SessionKind  # noqa: E402
from tests.factories.workers import Worker, instance_of  # noqa: E402

MAX_DELAY_S = 0.04
"""Some commits long, once the first of them has been made."""


def write(project_id: UUID, user_id: UUID, ready: int) -> NoReturn:
    """Conversations of messages and turns, for ever; one byte when the first is committed."""
    while True:
        session_id = agent_sessions.open_session(project_id, user_id, SessionKind.CREATIVE)
        turns.send_message(session_id, user_id, "Bom dia", str(new_id()))
        os.write(ready, b".")
        for _ in range(5):
            worker = Worker(instance_of(session_id).id)
            worker.claim()
            worker.take()
            worker.answer()
            worker.release()
            turns.send_message(session_id, user_id, "E depois?", str(new_id()))


def hurt(project_id: UUID, user_id: UUID, dice: random.Random) -> int:
    """One writer's life; how it ended, as `waitpid` says it."""
    heard, ready = os.pipe()
    pid = os.fork()
    if pid == 0:
        write(project_id, user_id, ready)
    os.close(ready)
    os.read(heard, 1)
    time.sleep(dice.random() * MAX_DELAY_S)
    os.kill(pid, signal.SIGTERM)
    os.close(heard)
    return os.waitpid(pid, 0)[1]


if __name__ == "__main__":
    count, seed, project, user = sys.argv[1:]
    ends = [hurt(UUID(project), UUID(user), random.Random(f"{seed}-{number}")) for number in range(int(count))]
    print(sum(os.WTERMSIG(end) == signal.SIGTERM for end in ends))  # noqa: T201 - this process's answer
