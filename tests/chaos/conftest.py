"""How long campaigns are: `make chaos ROUNDS=200 STOPS=500 CUTS=1000 TERMS=200 OUTAGES=5,30,900`, or `--rounds` …"""

import json
import os

import pytest

from tests.chaos.summary import RESULTS
from tests.plugins.house import house, waiting, wired_house

__all__ = ["house", "waiting", "wired_house"]
ROUNDS = 6
STOPS = 24
CUTS = 20
OUTAGES = "5"
CASE_ROUNDS = 1
TERMS = 40


def pytest_addoption(parser: pytest.Parser) -> None:
    """Read when this folder is named on the command line, as `make chaos` does."""
    parser.addoption("--rounds", type=int, default=int(os.environ.get("ROUNDS") or ROUNDS))
    parser.addoption("--stops", type=int, default=int(os.environ.get("STOPS") or STOPS))
    parser.addoption("--cuts", type=int, default=int(os.environ.get("CUTS") or CUTS))
    parser.addoption("--outages", default=os.environ.get("OUTAGES") or OUTAGES, help="seconds, comma-separated")
    parser.addoption("--terms", type=int, default=int(os.environ.get("TERMS") or TERMS))
    parser.addoption("--case-rounds", type=int, default=int(os.environ.get("CASE_ROUNDS") or CASE_ROUNDS))
    parser.addoption("--seed", type=int, default=int(os.environ.get("SEED") or 0))
    parser.addoption("--faults", default=os.environ.get("FAULTS") or "", help="comma-separated; all when empty")


def pytest_unconfigure() -> None:
    """The very last line, after pytest's own."""
    if RESULTS:
        print(json.dumps(RESULTS), flush=True)  # noqa: T201
