"""Weeks of spending by several agents and models, some of it estimated and some without a price; limits almost used."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.budgets import services as budgets
from api.rooms.budgets.domain.metering import HoldKey, Metering, Outcome
from api.rooms.budgets.domain.places import Place
from api.rooms.budgets.models import TokenUsage
from api.rooms.budgets.services import Held
from api.rooms.kernel.clock import now
from api.rooms.kernel.ids import new_id
from contracts.money import Usage
from contracts.vocabulary import Language
from tests.browser.furniture.models import LONG
from tests.browser.furniture.talk import Sessions

DAYS = 24
MODELS = (("openai_compatible", "gpt-4o-mini"), ("anthropic", "claude-3-5-haiku-latest"), ("openai_compatible", LONG))
AGENTS = ("creative", "product_owner", "assistant")


def spend(workspace: UUID, project: UUID, sessions: Sessions) -> None:
    """A few calls on most days; the dearest day costs some hundred times the cheapest."""
    kinds = ("talk", "closed", "deleted")
    for day in range(DAYS):
        for number in range(day % 4):
            place = Place(workspace, project, sessions[kinds[(day + number) % 3]])
            _call(place, day, number)
    agent_sessions.hide(sessions["deleted"])


def _call(place: Place, days_ago: int, number: int) -> None:
    provider, model = MODELS[(days_ago + number) % 3]
    read = 1_200 + 9_700 * (days_ago * 7 % 11)
    usage = Usage(uncached_input=read, cache_read=read // 3, output=read // 5, estimated=days_ago % 5 == 1)
    cost = None if model == LONG and days_ago % 2 else read * (1 + 60 * (days_ago % 7 == 3))
    metering = Metering(usage, cost, None, provider, model, AGENTS[number % 3], new_id(), Outcome.COMPLETED)
    held = budgets.reserve(new_id(), HoldKey(new_id(), 1, 0, 1), place, cost)
    assert isinstance(held, Held)
    budgets.settle(held.hold_id, metering)
    at = now() - timedelta(days=days_ago, hours=number)
    TokenUsage.objects.filter(hold_id=held.hold_id).update(created_at=at)


def limit(workspace: UUID, homes: dict[Language, UUID], sessions: dict[Language, Sessions]) -> None:
    """One with plenty left, one almost used up, and one session without a limit of its own; a call is running."""
    budgets.set_limit(Place(workspace), 250_000_000)
    for language, project in homes.items():
        place = Place(workspace, project)
        budgets.set_limit(place, 26_500_000)
        talk = replace(place, session_id=sessions[language]["talk"])
        assert isinstance(budgets.reserve(new_id(), HoldKey(new_id(), 1, 0, 1), talk, 340_000), Held)
