"""ADR 0008 and ADR 0038 over the whole roster: who starts by what, and who may hand to whom."""

from itertools import product

import pytest

from api.rooms.handoffs.domain.offers import refuse_target
from api.rooms.turns.domain.activation import Allowed, Denied, may_start
from contracts.agents import ROSTER
from contracts.problem import ProblemCode

UNAVAILABLE, REQUIRED, NEVER = ProblemCode.AGENT_UNAVAILABLE, ProblemCode.HANDOFF_REQUIRED, ProblemCode.FORBIDDEN
STARTS: dict[str, tuple[ProblemCode | None, ProblemCode | None]] = {
    "creative": (None, None),
    "product_owner": (REQUIRED, None),
    "architect": (REQUIRED, None),
    "ux_designer": (REQUIRED, None),
    "infra_lead": (REQUIRED, UNAVAILABLE),
    "infra_workflows": (NEVER, NEVER),
    "dev_lead": (REQUIRED, UNAVAILABLE),
    "dev": (NEVER, NEVER),
    "qa_lead": (NEVER, NEVER),
    "qa_automation": (NEVER, NEVER),
    "qa_performance_security": (NEVER, NEVER),
    "secops": (NEVER, NEVER),
    "story_editor": (REQUIRED, None),
    "task_detailing": (NEVER, NEVER),
    "psychologist": (NEVER, NEVER),
    "anamnesis": (NEVER, NEVER),
    "assistant": (NEVER, NEVER),
}
"""By agent: what refuses a person's start without, and with, an accepted handoff."""

HANDS_TO = {
    ("creative", "product_owner"),
    ("product_owner", "architect"),
    ("architect", "infra_lead"),
    ("ux_designer", "product_owner"),
    ("ux_designer", "dev_lead"),
    ("infra_lead", "dev_lead"),
}
LEADS = {
    "dev": "dev_lead",
    "infra_workflows": "infra_lead",
    "qa_automation": "qa_lead",
    "qa_performance_security": "qa_lead",
}


def test_the_table_names_the_whole_roster() -> None:
    assert STARTS.keys() == ROSTER.keys()


@pytest.mark.parametrize(("agent", "has_handoff"), list(product(ROSTER, [False, True])))
def test_who_a_person_may_start(agent: str, has_handoff: bool) -> None:
    decision = may_start(agent, has_accepted_handoff=has_handoff)
    assert (decision.code if isinstance(decision, Denied) else None) == STARTS[agent][has_handoff]


def test_the_creative_needs_nothing() -> None:
    assert may_start("creative", has_accepted_handoff=False) == Allowed()


def test_nobody_unknown_is_started() -> None:
    decision = may_start("stranger", has_accepted_handoff=True)
    assert isinstance(decision, Denied)
    assert decision.code is ProblemCode.NOT_FOUND


@pytest.mark.parametrize(("giver", "taker"), list(product(ROSTER, ROSTER)))
def test_who_may_hand_to_whom(giver: str, taker: str) -> None:
    assert (refuse_target(giver, taker) is None) is ((giver, taker) in HANDS_TO)


@pytest.mark.parametrize(("member", "lead"), LEADS.items())
def test_an_offer_to_a_member_names_its_lead(member: str, lead: str) -> None:
    """RN_054."""
    sentence = refuse_target("architect", member)
    assert sentence is not None
    assert sentence.endswith(f"offer the handoff to its lead, {lead}.")


def test_a_numbered_developer_belongs_to_the_developers() -> None:
    assert refuse_target("architect", "dev-billing-2") == refuse_target("architect", "dev")


def test_an_offer_to_a_stranger_is_refused() -> None:
    assert refuse_target("creative", "stranger") == "No agent is called stranger."
