"""Fixtures: both servers, started once, and the scene from which the gateway's calls are made."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.api.gateway.conftest import scene
from tests.peers import peers
from tests.peers.peers import LLAMA, Peer

__all__ = ["scene"]


@pytest.fixture(scope="session")
def llama() -> Iterator[str]:
    with peers.llama() as address:
        yield address


@pytest.fixture(scope="session")
def llmock() -> Iterator[str]:
    with peers.llmock() as address:
        yield address


@pytest.fixture
def address(peer: Peer, request: pytest.FixtureRequest, settings: Settings) -> str:
    """The base URL of `peer`, as a person would give it."""
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = True
    root: str = request.getfixturevalue("llama" if peer is LLAMA else "llmock")
    return root + peer.path
