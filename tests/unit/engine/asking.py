"""The api as a tool sees it: answers by route, and a note of what was asked."""

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from contracts.base import Message
from contracts.events import LogEvent
from contracts.problem import Problem, ProblemCode
from contracts.routes.model import Final, ModelMessage, ToolSpec
from contracts.routes.route import AnyRoute
from engine.domain.failures import ApiProblem
from engine.domain.tools import Scope


@dataclass
class Api:
    """Each answer is given to every question of its route; what is asked must fit the route's own message."""

    answers: dict[AnyRoute, Message | Problem]
    asked: list[dict[str, Any]] = field(default_factory=list)
    thoughts: tuple[Final, ...] = ()
    thought: list[tuple[ModelMessage, ...]] = field(default_factory=list)

    async def ask(self, route: AnyRoute, **fields: Any) -> Any:
        fence = {"epoch": 1, "turn_id": uuid4(), "step": 1}
        route.request(**{name: fence[name] for name in fence if name in route.request.model_fields}, **fields)
        self.asked.append(fields)
        answer = self.answers[route]
        if isinstance(answer, Problem):
            raise ApiProblem(answer)
        return answer

    def scope(self, *history: LogEvent) -> Scope:
        return Scope(uuid4(), history, self.ask, self.think)

    async def think(self, messages: tuple[ModelMessage, ...], tool: ToolSpec, *, call: int) -> Final:  # noqa: ARG002 - the protocol's
        """The model's answers, one for each call."""
        self.thought.append(messages)
        return self.thoughts[call]


def problem(code: ProblemCode, detail: str = "No.", **facts: str) -> Problem:
    return Problem(title="No", status=409, code=code, detail=detail, facts=facts)
