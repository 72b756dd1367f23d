"""Fixtures of the gateway's tests."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from api.rooms.gateway.providers import openai_dialects
from api.rooms.gateway.services.catalogue import ModelSpec
from tests.api.gateway.scene import CENT_A_THOUSAND, Scene, rehearse, set_scene
from tests.fakes.model_server import ModelServer


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


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    """A model server on a real socket, where that is allowed; what it taught us ends with the test."""
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = True
    openai_dialects.forget()
    with ModelServer() as server:
        yield server


@pytest.fixture
def served(scene: Scene, server: ModelServer) -> Scene:
    """The scene, bound to the model server at ten micros a token."""
    scene.bind(ModelSpec("openai_compatible", "fake", server.url), CENT_A_THOUSAND, secret="")
    return scene
