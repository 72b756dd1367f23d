"""Fixtures of the gateway's tests."""

import pytest

from tests.api.gateway.scene import Scene, rehearse, set_scene


@pytest.fixture(autouse=True)
def no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rehearsal speaks as fast as it can."""
    monkeypatch.setenv("MUTIRAO_REHEARSAL_DELAY_MS", "0")


@pytest.fixture
def scene(committed: None) -> Scene:
    """An agent whose turn runs; nothing is bound."""
    return set_scene()


@pytest.fixture
def rehearsing(scene: Scene) -> Scene:
    """The same, bound to the rehearsal."""
    rehearse(scene)
    return scene
