"""How long a worker asks for a lease: few times without an answer, patiently when the api says that it is full."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import stamina

from contracts.problem import ProblemCode
from engine.domain.failures import ApiProblem, ServiceUnreachable

MAX_SILENCES = 3
"""Then nobody knows whose the lease is; a wake that nobody follows is found by the api's sweep."""
PATIENCE_SECONDS = 30.0
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.1, 1.0


@dataclass
class AskAgain:
    """Whether the same claim is asked for once more; it counts the silences of one claim."""

    silences: int = 0

    def __call__(self, error: Exception) -> bool:
        """A full api is asked until patience ends: the wake keeps its slot and its place, and is not lost."""
        if isinstance(error, ApiProblem):
            return error.problem.code is ProblemCode.UNAVAILABLE
        self.silences += isinstance(error, ServiceUnreachable)
        return isinstance(error, ServiceUnreachable) and self.silences < MAX_SILENCES


def asking() -> AsyncIterator[stamina.Attempt]:
    """The tries of one claim, with jittered and growing pauses, so that a crowd does not come back at once."""
    return aiter(
        stamina.retry_context(
            on=AskAgain(),
            attempts=None,
            timeout=PATIENCE_SECONDS,
            wait_initial=FIRST_PAUSE_SECONDS,
            wait_max=LONGEST_PAUSE_SECONDS,
            wait_jitter=FIRST_PAUSE_SECONDS,
        )
    )
