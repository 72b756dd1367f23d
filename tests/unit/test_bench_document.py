"""What `make bench` ends with is read by name, and is refused when a figure is missing."""

import pytest

from tests.bench.__main__ import checked
from tests.bench.document import KEYS

NAMED = """
gateway_added_ttft_ms_p50 gateway_added_ttft_ms_p95 gateway_streams_per_s_core gateway_cpu_ms_per_call
gateway_cpu_ms_per_stream gateway_rss_mb gateway_offered_share_16x10ms budget_pairs_per_s cancel_close_ms_p95
accept_to_provider_ms_p50 accept_to_provider_ms_p95 celery_roundtrip_ms_p95 append_ratio append_growth open_growth
streams_completed memory_per_stream_kb delta_to_browser_ms_p95 takeover_s_p50 idle_cpu_percent cold_start_s
backlog_page_ms_p95 coverage_page_ms_p95 detail_50_stories_s
"""


def test_the_document_has_exactly_the_named_figures() -> None:
    assert sorted(KEYS) == sorted(NAMED.split())


def test_figures_are_rounded_and_none_is_lost() -> None:
    whole = dict.fromkeys(KEYS, 1.23456)
    assert checked(whole) == dict.fromkeys(KEYS, 1.235)


@pytest.mark.parametrize("change", ["missing", "unknown"])
def test_a_document_with_other_figures_is_refused(change: str) -> None:
    document = dict.fromkeys(KEYS, 1.0)
    if change == "missing":
        del document["takeover_s_p50"]
    else:
        document["luck"] = 1.0
    with pytest.raises(SystemExit):
        checked(document)
