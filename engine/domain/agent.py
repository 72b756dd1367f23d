"""What an agent is to the runtime: a behaviour, how it is told things, and its tools."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar

from contracts.agents import AgentCard
from contracts.base import Message
from contracts.routes.instances import AgentContext
from engine.domain.behaviour import Received, Step
from engine.domain.conversation import Say
from engine.domain.tools import Tool

State = TypeVar("State", bound=Message)


@dataclass(frozen=True)
class Agent(Generic[State]):
    """`start` and `handle` are pure; `system` is the prompt for one place."""

    card: AgentCard
    state: type[State]
    start: Callable[[], State]
    handle: Callable[[State, Received, datetime], Step]
    say: Say
    system: Callable[[AgentContext], str]
    tools: Mapping[str, Tool] = field(default_factory=dict)
