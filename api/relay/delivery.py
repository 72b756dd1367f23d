"""Deliver what is due: claim, commit, deliver outside any transaction, say how it went."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections

from api.rooms.kernel import pauses
from api.rooms.kernel.engine import EngineAway, EngineClient
from api.rooms.kernel.refusals import Refusal
from api.rooms.outbox import services as outbox
from api.rooms.outbox.services import DueMessage, DueWake
from api.wiring import CONSUMERS
from contracts import story
from contracts.failures import FailureOrigin
from contracts.routes.engine import Wake

THREADS = 8
Due = TypeVar("Due")
log = logging.getLogger(__name__)


class Delivery:
    """Owned by the relay's one loop."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="deliver")
        self._local = threading.local()

    def drain(self) -> int:
        """How many were claimed; call again until it is 0."""
        wakes, messages = outbox.claim_wakes(), outbox.claim_messages()
        if wakes or messages:
            pauses.at("relay_claim_before_delivery")
        futures = [self._pool.submit(_closing(self._wake), due) for due in wakes]
        futures += [self._pool.submit(_closing(self._consume), due) for due in messages]
        for future in futures:
            future.result()
        return len(futures)

    def _client(self) -> EngineClient:
        if not hasattr(self._local, "client"):
            self._local.client = EngineClient()
        client: EngineClient = self._local.client
        return client

    def _wake(self, due: DueWake) -> None:
        """What the sweep found has no request that set it off: a new id names it from here on."""
        with story.told(request_id=story.request_id(due.request_id), instance_id=due.instance_id):
            self._tell_engine(due)

    def _tell_engine(self, due: DueWake) -> None:
        try:
            self._client().wake(Wake(instance_id=due.instance_id, agent=due.agent, seq=due.seq))
        except EngineAway as error:
            log.warning("wake of %s %s not taken: %s", due.agent, due.instance_id, error)
            outbox.wake_failed(due)
        else:
            log.info("wake of %s delivered", due.agent)
            outbox.wake_delivered(due)

    def _consume(self, due: DueMessage) -> None:
        try:
            CONSUMERS[due.type](due.payload)
        except Exception as error:  # noqa: BLE001 - whatever it is, the message is kept and tried again
            log.warning("message %s (%s) failed: %s", due.id, due.type, error)
            outbox.message_failed(due.id, f"{type(error).__name__}: {error}", _origin_of(error))
        else:
            outbox.message_delivered(due.id)


def _origin_of(error: Exception) -> FailureOrigin:
    """A database or engine that is away, a refusal by rule, or a defect of ours."""
    if isinstance(error, OperationalError | InterfaceError | EngineAway | OSError):
        return FailureOrigin.INFRA
    return FailureOrigin.POLICY if isinstance(error, Refusal) else FailureOrigin.CODE


def _closing(deliver: Callable[[Due], None]) -> Callable[[Due], None]:
    """A pool thread keeps no connection between deliveries."""

    def run(due: Due) -> None:
        try:
            deliver(due)
        finally:
            close_old_connections()

    return run
