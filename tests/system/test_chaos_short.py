"""The short campaign: the faults that have cost most, one round each."""

import pytest

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
