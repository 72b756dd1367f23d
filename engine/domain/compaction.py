"""How a conversation is made strictly smaller: older groups become a summary, oversized texts are cut (RN-412)."""

from collections.abc import Sequence
from dataclasses import dataclass

from contracts.routes.model import ModelMessage
from contracts.text import cut_bytes
from contracts.vocabulary import MessageRole
from engine.domain.behaviour import Compacted, CompactionImpossible
from engine.domain.conversation import SUMMARY, Group
from engine.domain.window import Prompt, compose, cut_text, size

KEPT_GROUPS = (2, 1)
"""The latest groups that stay as they are; one only when two are still too large."""
PART_SHARES = (2, 4, 8, 16, 32)
MIN_PART_BYTES = 240
MAX_SUMMARY_BYTES = 4_000
SUMMARISE = (
    "You summarise a conversation between a person and an assistant so that the assistant can go on without the "
    "original. Keep every decision, wish, constraint, open question and recorded artifact, with names and numbers. "
    "Keep the numbers in square brackets that stand before the person's messages: they are references. Write plain "
    "text in the language of the conversation, and nothing but the summary."
)
PLACEHOLDER = "({count} earlier messages were left out here because the conversation had become too long.)"


@dataclass(frozen=True)
class Plan:
    """What is replaced by a summary (perhaps nothing), what stays, and how far each text is cut."""

    summarised: tuple[Group, ...]
    kept: tuple[Group, ...]
    part_bytes: int | None
    through_seq: int
    summary_bytes: int

    @property
    def placeholder(self) -> str:
        """Stands for a summary that could not be had."""
        count = sum(len(group.messages) for group in self.summarised)
        return PLACEHOLDER.format(count=count) if self.summarised else ""

    def after(self, summary: str) -> tuple[Group, ...]:
        """The groups as the next fold will give them."""
        if not summary:
            return self.kept
        told = Group((ModelMessage(role=MessageRole.USER, content=SUMMARY + summary),), self.through_seq)
        return (told, *self.kept)


def plans(groups: Sequence[Group], part_bytes: int | None, target: int) -> list[Plan]:
    """All ways to shrink, the mildest first."""
    parts = [part_bytes, *(max(MIN_PART_BYTES, target // share) for share in PART_SHARES)]
    milder = [part for part in parts if part is None or part_bytes is None or part <= part_bytes]
    return [_plan(groups, keep, part, target) for keep in KEPT_GROUPS for part in dict.fromkeys(milder)]


def _plan(groups: Sequence[Group], keep: int, part_bytes: int | None, target: int) -> Plan:
    older, latest = tuple(groups[:-keep]), tuple(groups[-keep:])
    pinned = tuple(group for group in older if group.is_pinned)
    through_seq = max((group.through_seq for group in older), default=0)
    return Plan(older, (*pinned, *latest), part_bytes, through_seq, min(MAX_SUMMARY_BYTES, target // 4))


def measure(prompt: Prompt, groups: Sequence[Group], part_bytes: int | None) -> int:
    """Bytes of the body that these groups make."""
    return size(prompt, compose(prompt, groups, part_bytes))


def choose(prompt: Prompt, groups: Sequence[Group], part_bytes: int | None, target: int) -> Plan | None:
    """The mildest plan that reaches the target, else the smallest; null when none is strictly smaller."""
    before = measure(prompt, groups, part_bytes)
    best: tuple[int, Plan] | None = None
    for plan in plans(groups, part_bytes, target):
        room = plan.summary_bytes if plan.summarised else 0
        after = measure(prompt, plan.kept, plan.part_bytes) + room
        if after <= target:
            return plan if after < before else None
        if best is None or after < best[0]:
            best = (after, plan)
    return best[1] if best and best[0] < before else None


def transcript(plan: Plan, max_bytes: int) -> tuple[ModelMessage, ...]:
    """The call that asks for the summary, itself within `max_bytes`."""
    share = max(MIN_PART_BYTES, max_bytes // (2 * max(1, sum(len(group.messages) for group in plan.summarised))))
    lines = [_told(message, share) for group in plan.summarised for message in group.messages]
    return (
        ModelMessage(role=MessageRole.SYSTEM, content=SUMMARISE),
        ModelMessage(role=MessageRole.USER, content=cut_text("\n\n".join(lines), max_bytes)),
    )


def _told(message: ModelMessage, share: int) -> str:
    calls = "".join(f"\n(called {call.name} with {cut_bytes(call.arguments, share)})" for call in message.tool_calls)
    return f"{message.role.value}: {cut_text(message.content, share)}{calls}"


def fitted(plan: Plan, summary: str) -> str:
    """The summary within the room that the plan left for it; the placeholder when there is none."""
    return cut_bytes(summary.strip(), plan.summary_bytes) or plan.placeholder


def settle(prompt: Prompt, plan: Plan, written: str, before: int) -> Compacted | CompactionImpossible:
    """The plan with its summary, when that is strictly smaller; a summary that is too long gives way to a sentence."""
    for summary in (fitted(plan, written), plan.placeholder):
        after = measure(prompt, plan.after(summary), plan.part_bytes)
        if after < before:
            return Compacted(plan.through_seq, summary, before, after, plan.part_bytes)
    return CompactionImpossible(before)
