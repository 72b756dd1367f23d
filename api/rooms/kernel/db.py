"""Database work from async code, in bounded threads that give their connection back."""

from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from channels.db import database_sync_to_async as _database_sync_to_async
from django.db import connection

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

MAX_DATABASE_THREADS = 8
_executor = ThreadPoolExecutor(MAX_DATABASE_THREADS, thread_name_prefix="database")


def in_thread(function: Callable[Arguments, Result]) -> Callable[Arguments, Coroutine[Any, Any, Result]]:
    """`await in_thread(f)(…)`: a hung provider can hold no thread and no connection (spec: keep ORM work bounded)."""
    wrapped: Callable[Arguments, Coroutine[Any, Any, Result]] = _database_sync_to_async(
        function, thread_sensitive=False, executor=_executor
    )
    return wrapped


def give_back_connection() -> None:
    """Before a wait for somebody outside: a request that waits holds no connection of the pool."""
    if not connection.in_atomic_block:
        connection.close()
