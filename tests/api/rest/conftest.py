"""A world in which every route of the public API finds what it needs."""

import pytest

from tests.api.rest.caller import World, new_world


@pytest.fixture
def world(db: None) -> World:
    """Rolled back afterwards."""
    return new_world()


@pytest.fixture
def lasting_world(committed: None) -> World:
    """Really committed: what is half written shows."""
    return new_world()
