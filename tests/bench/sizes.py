"""How much is measured, from the environment; the defaults keep a whole run under six minutes."""

import os


def _number(name: str, default: float) -> float:
    return float(os.environ.get(name) or default)


SECONDS = _number("BENCH_SECONDS", 4)
"""Length of each measurement under load at the gateway."""
SAMPLES = int(_number("BENCH_SAMPLES", 150))
"""Interleaved pairs for the time to the first token; other repeated figures take a part of it."""
STREAMS = int(_number("BENCH_STREAMS", 200))
WATCHERS = int(_number("BENCH_WATCHERS", 20))
STREAM_SECONDS = _number("BENCH_STREAM_SECONDS", 5)
TOKENS_A_SECOND = 20
LONG_LOG = int(_number("BENCH_LONG_LOG", 100_000))
SHORT_LOG = 100
WAITING = int(_number("BENCH_WAITING", 1_000))
IDLE_SECONDS = _number("BENCH_IDLE_SECONDS", 60)
TAKEOVERS = int(_number("BENCH_TAKEOVERS", 3))
WAKES = int(_number("BENCH_WAKES", 40))
