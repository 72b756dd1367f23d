"""Calls of the api on behalf of one step: fenced, keyed, and what they wrote is taken into the history."""

from typing import Any

from contracts.routes.effects import EventWritten, HandoffAnswer
from contracts.routes.route import Route
from engine.domain.failures import ApiProblem
from engine.domain.tools import Answered, Ask
from engine.runtime.endings import raise_ending
from engine.runtime.held import HeldInstance


def asker(held: HeldInstance) -> Ask:
    """One route once a step: the key is the cause, and the epoch is in it because it is in the body."""

    async def ask(route: Route[Any, Answered], **fields: Any) -> Answered:
        fence = {"epoch": held.epoch, "turn_id": held.running_turn, "step": held.step}
        body = route.request(**{name: fence[name] for name in fence if name in route.request.model_fields}, **fields)
        key = f"{route.name}:{held.instance_id}:{held.epoch}:{held.step}"
        try:
            answer = await held.api.call(route, body, key=key, instance_id=held.instance_id)
        except ApiProblem as error:
            raise_ending(error)
            raise
        if isinstance(answer, EventWritten | HandoffAnswer):
            held.history.add((answer.event,))
        return answer

    return ask
