"""What every call shares: the TLS context, what is tried again, and what a refusal or a silence is called."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from functools import cache

import httpx2
import stamina
from pydantic import ValidationError

from contracts.problem import PROBLEM_MEDIA_TYPE, Problem
from engine.domain.failures import ApiProblem, ServiceFailed, ServiceUnreachable, StreamSilent

FRAME_SECONDS = 300.0
RETRIED = frozenset({429, 500, 502, 503, 504})


@cache
def ssl_context() -> ssl.SSLContext:
    """One a process: making one takes longer than a call."""
    return ssl.create_default_context()


def attempts(seconds: float) -> AsyncIterator[stamina.Attempt]:
    """Tries of one call, with jittered waits, for `seconds`; 0 is one try."""
    once = seconds <= 0
    return aiter(
        stamina.retry_context(
            on=is_transient,
            attempts=1 if once else None,
            timeout=None if once else seconds,
            wait_initial=0.05,
            wait_max=1.0,
            wait_jitter=0.1,
        )
    )


def is_transient(error: Exception) -> bool:
    """Whether the same call may go better in a moment."""
    if isinstance(error, ApiProblem):
        return error.problem.status in RETRIED
    return isinstance(error, ServiceUnreachable) or (isinstance(error, ServiceFailed) and error.status in RETRIED)


async def next_data(frames: AsyncIterator[httpx2.ServerSentEvent]) -> str | None:
    """The next frame's data, null at the end of the stream."""
    try:
        async with asyncio.timeout(FRAME_SECONDS):
            return (await anext(frames)).data
    except StopAsyncIteration:
        return None
    except (TimeoutError, httpx2.ReadTimeout) as error:
        raise StreamSilent(f"no frame within {FRAME_SECONDS:.0f} s") from error


def raise_for(response: httpx2.Response) -> None:
    """Return for a success; else raise the problem, or the bare status when the body is none of ours."""
    if response.is_success:
        return
    kind = response.headers.get("content-type", "").partition(";")[0].strip()
    if kind == PROBLEM_MEDIA_TYPE:
        try:
            raise ApiProblem(Problem.model_validate_json(response.content))
        except ValidationError:
            pass  # a problem of a newer wire: its status still says what to do
    raise ServiceFailed(response.status_code, response.text[:2_000])


def words(error: BaseException) -> str:
    """An exception as one line of a diagnosis."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
