"""Performing a compaction: a summary by the model, or a plain statement of how much was left out."""

from contracts.routes.model import COMPLETE, Final, ModelCall
from engine.clients.api import Patience
from engine.domain.behaviour import CompactionImpossible, Received
from engine.domain.compaction import Plan, choose, measure, settle, transcript
from engine.domain.effects import Compact
from engine.domain.failures import ApiProblem, ServiceFailed, ServiceUnreachable
from engine.runtime.endings import raise_ending
from engine.runtime.held import HeldInstance
from engine.runtime.model_calls import groups_of, prompt_of

SUMMARY_CALL = 1
"""Call 0 of a step is the turn's own."""
MAX_SUMMARY_TOKENS = 1_024
PATIENCE = Patience(answer_seconds=120.0)


async def compact(held: HeldInstance, effect: Compact) -> Received:
    """A conversation that is strictly smaller, or the word that this cannot be done."""
    await held.history.fill()
    prompt, groups, part_bytes = prompt_of(held, effect.tools), groups_of(held), effect.window.part_bytes
    before = measure(prompt, groups, part_bytes)
    plan = choose(prompt, groups, part_bytes, effect.target_bytes)
    if plan is None:
        return CompactionImpossible(before)
    written = await _summary(held, plan, effect.target_bytes) if plan.summarised else ""
    return settle(prompt, plan, written, before)


async def _summary(held: HeldInstance, plan: Plan, max_bytes: int) -> str:
    """What the model makes of it; empty when it could not be asked or had nothing to say."""
    body = ModelCall(
        epoch=held.epoch,
        turn_id=held.running_turn,
        step=held.step,
        call=SUMMARY_CALL,
        messages=transcript(plan, max_bytes),
        max_output_tokens=MAX_SUMMARY_TOKENS,
        is_for_people=False,
    )
    key = f"model:{held.instance_id}:{held.epoch}:{held.step}:{SUMMARY_CALL}"
    try:
        final: Final = await held.api.call(COMPLETE, body, key=key, patience=PATIENCE, instance_id=held.instance_id)
    except ApiProblem as error:
        raise_ending(error)
        return ""
    except (ServiceFailed, ServiceUnreachable):
        return ""
    return "" if final.error else final.message.content
