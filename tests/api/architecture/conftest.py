"""Places whose Product Owner is at work."""

import pytest

from tests.factories.places import Place, new_place


@pytest.fixture
def place(db: None) -> Place:
    """A creative session; rolled back afterwards."""
    return new_place()


@pytest.fixture
def lasting(committed: None) -> Place:
    """The same, really committed: for threads."""
    return new_place()
