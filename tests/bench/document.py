"""The one document that a run ends with: every figure is there, none has another name."""

from typing import TypedDict


class GatewayAlone(TypedDict):
    """The gateway on one core, its database and upstream on another; PostgreSQL with fsync, budgets on."""

    gateway_added_ttft_ms_p50: float
    gateway_added_ttft_ms_p95: float
    gateway_streams_per_s_core: float
    gateway_cpu_ms_per_call: float
    gateway_cpu_ms_per_stream: float
    gateway_rss_mb: float
    gateway_offered_share_16x10ms: float
    cancel_close_ms_p95: float


class Rooms(TypedDict):
    """The rooms' own doors, in processes of their own, on the same database."""

    budget_pairs_per_s: float
    append_ratio: float
    append_growth: float
    open_growth: float
    backlog_page_ms_p95: float
    coverage_page_ms_p95: float


class WholeHouse(TypedDict):
    """Everything that `make run` starts, as real processes."""

    accept_to_provider_ms_p50: float
    accept_to_provider_ms_p95: float
    celery_roundtrip_ms_p95: float
    streams_completed: int
    memory_per_stream_kb: float
    delta_to_browser_ms_p95: float
    takeover_s_p50: float
    detail_50_stories_s: float
    idle_cpu_percent: float


class Start(TypedDict):
    """From nothing but installed packages to a house that answers."""

    cold_start_s: float


class Document(GatewayAlone, Rooms, WholeHouse, Start):
    """All parts of a run."""


KEYS = frozenset(Document.__annotations__)
