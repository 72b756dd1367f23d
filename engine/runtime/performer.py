"""Performing one saved effect: the only place where an agent's decision touches the world."""

from contracts.routes.effects import EMIT_BRIEF, OFFER_HANDOFF
from engine.domain.behaviour import BriefWritten, EffectFailed, Received, ToolRan, TurnBegan, WorkOffered
from engine.domain.effects import BeginTurn, CallModel, Compact, OfferWork, RunTool, WriteBrief
from engine.domain.failures import of_exception
from engine.domain.tools import Scope, ToolOutcome, failed, read_arguments, unknown
from engine.runtime import pauses
from engine.runtime.calling import asker
from engine.runtime.compactor import compact
from engine.runtime.decide import turn_began
from engine.runtime.held import HeldInstance
from engine.runtime.model_calls import BROKEN, call_model, thinker

REFUSALS = BROKEN
"""What keeps an effect from being done, without a defect of ours."""


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
        return await tool.run(
            arguments.values, Scope(held.running_turn, held.history.events, asker(held), thinker(held))
        )
    except REFUSALS as error:
        failure = of_exception(error)
        return failed(failure.code, f"Not done: {failure.diagnosis}")


async def _through_the_api(held: HeldInstance, effect: WriteBrief | OfferWork) -> Received:
    ask = asker(held)
    try:
        if isinstance(effect, WriteBrief):
            return BriefWritten((await ask(EMIT_BRIEF, summary=effect.summary)).event)
        offered = await ask(OFFER_HANDOFF, to_agent=effect.to_agent, artifact_event_id=effect.artifact_event_id)
        return WorkOffered(offered.handoff_id)
    except REFUSALS as error:
        return EffectFailed(effect, of_exception(error))
