"""The api's only door to the engine: signed calls of the routes that the engine serves."""

import time

import httpx
from django.conf import settings

from contracts import auth, story
from contracts.routes.engine import WAKE, Wake

TIMEOUT_S = 2.0


class EngineAway(Exception):
    """The engine did not take the call; the relay tries again."""


class EngineClient:
    """One per thread of the relay."""

    def __init__(self) -> None:
        self._http = httpx.Client(base_url=settings.ENGINE_URL, timeout=TIMEOUT_S, trust_env=False)

    def wake(self, wake: Wake) -> None:
        target = WAKE.target()
        body = wake.model_dump_json().encode()
        signed = auth.Request(
            "POST", target, body, int(time.time()), auth.ENGINE, idempotency_key=str(wake.instance_id)
        )
        headers = {**auth.sign(settings.API_TO_ENGINE_KEYS[0], signed), "Content-Type": "application/json"}
        headers[story.REQUEST_HEADER] = story.request_id(story.current_request())
        try:
            response = self._http.post(target, content=body, headers=headers)
        except httpx.HTTPError as error:
            raise EngineAway(f"{type(error).__name__}: {error}") from error
        if response.status_code >= httpx.codes.BAD_REQUEST:
            raise EngineAway(f"{response.status_code}: {response.text[:500]}")
