"""Database work from async code, in bounded threads that give their connection back."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, ParamSpec, TypeVar

from django.db import close_old_connections, connection

from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

MAX_DATABASE_THREADS = 6
_executor = ThreadPoolExecutor(MAX_DATABASE_THREADS, thread_name_prefix="database")


def in_thread(function: Callable[Arguments, Result]) -> Callable[Arguments, Coroutine[Any, Any, Result]]:
    """`await in_thread(f)(…)`: a hung provider can hold no thread and no connection (spec: keep ORM work bounded)."""
    return _threaded(function, _executor)


def _threaded(
    function: Callable[Arguments, Result], executor: ThreadPoolExecutor
) -> Callable[Arguments, Coroutine[Any, Any, Result]]:
    """As asgiref does it, at a third of its price: nothing here needs its way back from a thread into the loop."""

    async def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        work = partial(_and_give_back, function, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(executor, copy_context().run, work)

    return run


def _and_give_back(function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
    try:
        return function(*args, **kwargs)
    finally:
        close_old_connections()


class Lane:
    """Threads for one kind of call, so that a crowd of them neither waits for the others nor keeps them waiting.

    At most `line` calls are inside, the waiting ones included: the next is told to come back, while that is still true.
    """

    def __init__(self, name: str, threads: int, line: int) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self.line = line
        self._inside = 0

    def run(self, function: Callable[Arguments, Result]) -> Callable[Arguments, Coroutine[Any, Any, Result]]:
        """As `in_thread`; raises Refusal (`unavailable`) where the line is full."""

        async def inside(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            if self._inside >= self.line:
                raise Refusal(ProblemCode.UNAVAILABLE, "Too many ask for this at once: come back in a moment.")
            self._inside += 1
            try:
                return await _threaded(function, self._executor)(*args, **kwargs)
            finally:
                self._inside -= 1

        return inside


def give_back_connection() -> None:
    """Before a wait for somebody outside: a request that waits holds no connection of the pool."""
    if not connection.in_atomic_block:
        connection.close()
