"""A model call through the gateway: composed by pure rules, streamed, repeated under the same key when it breaks."""

from contextlib import aclosing
from uuid import UUID

import stamina

from contracts.events import ToolCalled
from contracts.failures import ErrorCode
from contracts.routes.model import STREAM, Delta, Final, ModelCall, ModelError, ModelMessage, ToolSpec
from contracts.vocabulary import FinishReason, MessageRole
from engine.clients.transport import is_transient
from engine.domain.behaviour import ContextOverflowed, EffectFailed, ModelAnswered, Received
from engine.domain.conversation import Group, fold
from engine.domain.effects import CallModel
from engine.domain.failures import (
    ApiProblem,
    Failure,
    ServiceFailed,
    ServiceUnreachable,
    StreamIncomplete,
    StreamSilent,
    diagnosis,
    of_exception,
)
from engine.domain.tools import Think
from engine.domain.window import Fitting, Place, Prompt, fit, max_output_tokens
from engine.runtime import pauses
from engine.runtime.endings import HandOver, raise_ending
from engine.runtime.held import HeldInstance

MAX_STREAMS_OF_A_CALL = 8
"""The gateway sells a call at most twice; more streams only ask for the frame it kept."""
BROKEN = (ApiProblem, ServiceFailed, ServiceUnreachable, StreamIncomplete, StreamSilent)


def place_of(held: HeldInstance) -> Place:
    """What the bound model and the transport can take."""
    return Place(held.context.context_tokens, held.context.max_body_bytes)


def prompt_of(held: HeldInstance, tools: tuple[str, ...]) -> Prompt:
    """The system prompt and the tools of this agent that are offered."""
    specs = tuple(held.agent.tools[name].spec for name in tools)
    return Prompt(held.agent.system(held.context), specs)


def groups_of(held: HeldInstance) -> tuple[Group, ...]:
    """The conversation so far."""
    return fold(held.history.events, held.context.agent, held.agent.say)


async def call_model(held: HeldInstance, effect: CallModel) -> Received:
    """The model's answer, or why there is none."""
    await held.history.fill()
    prompt, place = prompt_of(held, effect.tools), place_of(held)
    fitting = fit(prompt, groups_of(held), effect.window, place)
    if isinstance(fitting, ContextOverflowed):
        return fitting
    body = body_of(held, effect, prompt, fitting, max_output_tokens(place))
    try:
        final = await _streamed(held, body)
    except BROKEN as error:
        return _unanswered(effect, fitting, of_exception(error))
    if final.finish is FinishReason.CUT:  # by a Stop, or by a claim: whose stream it was has written all there is
        raise HandOver("the stream was cut")
    return ModelAnswered(final, fitting.size_bytes, used_ids(held))


def body_of(held: HeldInstance, effect: CallModel, prompt: Prompt, fitting: Fitting, max_tokens: int) -> ModelCall:
    """The request of one call."""
    return ModelCall(
        epoch=held.epoch,
        turn_id=held.running_turn,
        step=held.step,
        iteration=effect.iteration,
        messages=fitting.messages,
        tools=prompt.tools,
        max_output_tokens=max_tokens,
    )


def thinker(held: HeldInstance) -> Think:
    """A tool's own model call: nobody watches it, and it is as deterministic as the model allows."""

    async def think(messages: tuple[ModelMessage, ...], tool: ToolSpec, *, call: int) -> Final:
        body = ModelCall(
            epoch=held.epoch,
            turn_id=held.running_turn,
            step=held.step,
            call=call,
            messages=messages,
            tools=(tool,),
            max_output_tokens=max_output_tokens(place_of(held)),
            temperature=0.0,
            is_for_people=False,
        )
        final = await _streamed(held, body)
        if final.finish is FinishReason.CUT:
            raise HandOver("the stream was cut")
        return final

    return think


def used_ids(held: HeldInstance) -> frozenset[str]:
    """Ids of all tool calls that the session has seen."""
    return frozenset(
        event.payload.call_id for event in held.history.by_seq.values() if isinstance(event.payload, ToolCalled)
    )


def _unanswered(effect: CallModel, fitting: Fitting, failure: Failure) -> Received:
    """A body that the transport refused as too large is an answer too: it teaches what not to send again."""
    if failure.code is not ErrorCode.CONTEXT_TOO_LARGE:
        return EffectFailed(effect, failure)
    error = ModelError(code=failure.code, diagnosis=diagnosis(failure.diagnosis))
    nothing = ModelMessage(role=MessageRole.ASSISTANT)
    final = Final(attempt=0, message=nothing, finish=FinishReason.ERROR, bill=None, error=error)
    return ModelAnswered(final, fitting.size_bytes)


def _may_repeat(error: Exception) -> bool:
    return isinstance(error, StreamIncomplete) or is_transient(error)


async def _streamed(held: HeldInstance, body: ModelCall) -> Final:
    """The final frame. A stream that breaks is asked for again: same key, so the gateway knows what it sold."""
    key = f"model:{held.instance_id}:{body.epoch}:{body.step}:{body.call}"
    async for attempt in stamina.retry_context(
        on=_may_repeat, attempts=MAX_STREAMS_OF_A_CALL, timeout=None, wait_initial=0.1, wait_max=2.0, wait_jitter=0.2
    ):
        with attempt:
            return await _once(held, held.instance_id, body, key)
    raise AssertionError("unreachable")


async def _once(held: HeldInstance, instance_id: UUID, body: ModelCall, key: str) -> Final:
    is_first = True
    try:
        async with aclosing(held.api.stream(STREAM, body, key=key, instance_id=instance_id)) as frames:
            async for frame in frames:
                if isinstance(frame.frame, Final):
                    return frame.frame
                if is_first and isinstance(frame.frame, Delta):
                    is_first = False
                    await pauses.at("mid_stream")
    except ApiProblem as error:
        raise_ending(error)
        raise
    raise StreamIncomplete("the stream ended without its final frame")
