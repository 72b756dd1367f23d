"""Fixtures of the tests that see everything from outside."""

import pytest

from tests.plugins.house import House, house, waiting
from tests.system.person import Person

__all__ = ["house", "person", "waiting"]


@pytest.fixture
def person(house: House) -> Person:
    """Somebody who uses the house."""
    return Person(house.stack)
