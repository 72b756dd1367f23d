"""The roster as it is before an agent arrives."""

from dataclasses import replace

import pytest

from contracts.agents import ROSTER


def absent(monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    """Nobody wires this agent yet; `monkeypatch.undo()` lets it arrive."""
    monkeypatch.setitem(ROSTER, slug, replace(ROSTER[slug], is_available=False))
