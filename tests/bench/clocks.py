"""What is read off a run: percentiles, CPU and memory of process trees, and which core something may use."""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from statistics import quantiles

import psutil

MB = 1024 * 1024
CORES = sorted(os.sched_getaffinity(0))
MEASURED, OTHER = {CORES[0]}, {CORES[-1]}


def percentile(values: Sequence[float], percent: int) -> float:
    """The `percent`th hundredth of at least one value."""
    if len(values) == 1:
        return values[0]
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def tree(pid: int) -> list[psutil.Process]:
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def cpu_seconds(processes: Iterable[psutil.Process]) -> float:
    """User and system time so far; a process that has gone counts nothing."""
    total = 0.0
    for process in processes:
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


def rss_bytes(processes: Iterable[psutil.Process]) -> int:
    return sum(process.memory_info().rss for process in processes)


def pin(pid: int, cores: set[int]) -> None:
    """A process and all of its children; what they start later inherits it."""
    for process in tree(pid):
        with suppress(psutil.NoSuchProcess, ProcessLookupError):  # a child that ended meanwhile needs no core
            for thread in process.threads():
                os.sched_setaffinity(thread.id, cores)
