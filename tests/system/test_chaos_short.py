"""The short campaign: the faults that have cost most, one round each."""

import random

import pytest

from tests.chaos import batches
from tests.chaos.campaign import Campaign
from tests.plugins.house import House

SEED = 7
FAULTS = (
    "doubled",
    "at api_reply_before_commit",
    "at after_effect_before_save",
    "worker",
)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_is_lost_doubled_or_bought_twice_unflagged(house: House, fault: str) -> None:
    """R1, R2, R11; the long campaign is `make chaos`."""
    assert Campaign(house, SEED).play(fault, stories=2, strikes=1) == []


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_batch_whose_workers_are_killed_details_each_story_once(house: House) -> None:
    """The long one is `make chaos`, with fifty stories."""
    assert batches.detail(house, stories=8, kills=2, dice=random.Random(SEED)).complaints() == []
