"""Performing one saved effect: the only place where an agent's decision touches the world."""

from contracts.artifacts import BusinessRule, Note
from contracts.events import LogEvent
from contracts.routes.effects import (
    EMIT_ARTIFACT,
    EMIT_BRIEF,
    OFFER_HANDOFF,
    EmitArtifact,
    EmitBrief,
    OfferHandoff,
)
from engine.domain.behaviour import BriefWritten, EffectFailed, Received, ToolRan, TurnBegan, WorkOffered
from engine.domain.effects import BeginTurn, CallModel, Compact, OfferWork, RunTool, WriteBrief
from engine.domain.failures import ApiProblem, ServiceFailed, ServiceUnreachable, of_exception
from engine.domain.tools import Emit, Scope, ToolOutcome, failed, read_arguments, unknown
from engine.runtime import pauses
from engine.runtime.compactor import compact
from engine.runtime.decide import turn_began
from engine.runtime.endings import raise_ending
from engine.runtime.held import HeldInstance
from engine.runtime.model_calls import call_model

REFUSALS = (ApiProblem, ServiceFailed, ServiceUnreachable)


async def perform(held: HeldInstance) -> Received:
    """Perform the effect that the last step saved, under that step's number."""
    match held.effect:
        case BeginTurn() as effect:
            return await _begin(held, effect)
        case CallModel() as effect:
            answered = await call_model(held, effect)
            await pauses.at("after_reply_before_save")
            return answered
        case Compact() as effect:
            return await compact(held, effect)
        case RunTool() | WriteBrief() | OfferWork() as effect:
            done = await _do(held, effect)
            await pauses.at("after_effect_before_save")
            return done
        case None:
            raise ValueError("there is no effect to perform")


async def _do(held: HeldInstance, effect: RunTool | WriteBrief | OfferWork) -> Received:
    if isinstance(effect, RunTool):
        return ToolRan(await _run_tool(held, effect))
    return await _through_the_api(held, effect)


async def _begin(held: HeldInstance, effect: BeginTurn) -> TurnBegan:
    await held.history.fill()
    return turn_began(held, effect.seqs)


async def _run_tool(held: HeldInstance, effect: RunTool) -> ToolOutcome:
    tool = held.agent.tools.get(effect.call.name) if effect.call.name in effect.offered else None
    if tool is None:
        return unknown(effect.call, effect.offered)
    arguments = read_arguments(effect.call, is_cut=effect.is_cut)
    if isinstance(arguments, ToolOutcome):
        return arguments
    await held.history.fill()
    try:
        return await tool.run(arguments.values, Scope(held.running_turn, held.history.events, _emitter(held)))
    except REFUSALS as error:
        failure = of_exception(error)
        return failed(failure.code, f"Not done: {failure.diagnosis}")


def _emitter(held: HeldInstance) -> Emit:
    async def emit(artifact: Note | BusinessRule) -> LogEvent:
        body = EmitArtifact(epoch=held.epoch, turn_id=held.running_turn, step=held.step, artifact=artifact)
        try:
            answer = await held.api.call(EMIT_ARTIFACT, body, key=_key(held, "artifact"), instance_id=held.instance_id)
        except ApiProblem as error:
            raise_ending(error)
            raise
        held.history.add((answer.event,))
        return answer.event

    return emit


async def _through_the_api(held: HeldInstance, effect: WriteBrief | OfferWork) -> Received:
    try:
        return await (_brief(held, effect) if isinstance(effect, WriteBrief) else _offer(held, effect))
    except ApiProblem as error:
        raise_ending(error)
        return EffectFailed(effect, of_exception(error))
    except (ServiceFailed, ServiceUnreachable) as error:
        return EffectFailed(effect, of_exception(error))


async def _brief(held: HeldInstance, effect: WriteBrief) -> BriefWritten:
    body = EmitBrief(epoch=held.epoch, turn_id=held.running_turn, step=held.step, summary=effect.summary)
    answer = await held.api.call(EMIT_BRIEF, body, key=_key(held, "brief"), instance_id=held.instance_id)
    held.history.add((answer.event,))
    return BriefWritten(answer.event)


async def _offer(held: HeldInstance, effect: OfferWork) -> WorkOffered:
    body = OfferHandoff(
        epoch=held.epoch,
        turn_id=held.running_turn,
        step=held.step,
        to_agent=effect.to_agent,
        artifact_event_id=effect.artifact_event_id,
    )
    answer = await held.api.call(OFFER_HANDOFF, body, key=_key(held, "handoff"), instance_id=held.instance_id)
    held.history.add((answer.event,))
    return WorkOffered(answer.handoff_id)


def _key(held: HeldInstance, effect: str) -> str:
    """By cause: the step that asked for the effect. The epoch is in it because it is in the body."""
    return f"{effect}:{held.instance_id}:{held.epoch}:{held.step}"
