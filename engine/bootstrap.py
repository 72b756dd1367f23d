"""The composition root: which agents there are, and what a worker is made of."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from engine.agents.architect.agent import ARCHITECT
from engine.agents.assistant.agent import ASSISTANT
from engine.agents.creative.agent import CREATIVE
from engine.agents.product_owner.agent import PRODUCT_OWNER
from engine.agents.story_editor.agent import STORY_EDITOR
from engine.agents.task_detailing.agent import TASK_DETAILING
from engine.agents.ux_designer.agent import UX_DESIGNER
from engine.clients.api import ApiClient
from engine.domain.agent import Agent
from engine.runtime.worker import Worker
from engine.settings import Settings

AGENTS: Mapping[str, Agent[Any]] = {
    agent.card.slug: agent
    for agent in (CREATIVE, PRODUCT_OWNER, ARCHITECT, UX_DESIGNER, STORY_EDITOR, TASK_DETAILING, ASSISTANT)
}


def new_id() -> UUID:
    """Ids sort by time."""
    return uuid7()


def now() -> datetime:
    """The clock, in UTC."""
    return datetime.now(UTC)


def worker(settings: Settings) -> Worker:
    """The worker of this process."""
    return Worker(
        agents=AGENTS,
        open_api=lambda: ApiClient(settings.api_url, settings.engine_to_api_keys),
        now=now,
        monotonic=time.monotonic,
        new_id=new_id,
    )
