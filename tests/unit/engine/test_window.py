"""F18: bytes and tokens are bounded before each call, and every compaction is strictly smaller."""

from hypothesis import given
from hypothesis import strategies as st

from contracts.routes.model import ModelMessage, ModelToolCall
from contracts.vocabulary import MessageRole
from engine.domain import compaction, window
from engine.domain.behaviour import Compacted, ContextOverflowed
from engine.domain.conversation import Group
from engine.domain.effects import Window
from engine.domain.window import Fitting, Place, Prompt

PROMPT = Prompt("You are an agent.")
PLACE = Place(context_tokens=10_000, max_body_bytes=8_000_000)


def user(text: str, seq: int, *, is_pinned: bool = False) -> Group:
    return Group((ModelMessage(role=MessageRole.USER, content=text),), seq, is_pinned)


def acted(result: str, seq: int) -> Group:
    call = ModelToolCall(id=f"c{seq}", name="t", arguments="{}")
    return Group(
        (
            ModelMessage(role=MessageRole.ASSISTANT, tool_calls=(call,)),
            ModelMessage(role=MessageRole.TOOL, content=result, tool_call_id=call.id),
        ),
        seq,
    )


groups = st.lists(st.tuples(st.booleans(), st.integers(0, 8_000), st.booleans()), min_size=1, max_size=10).map(
    lambda parts: [
        user("é" * n, i + 1, is_pinned=p) if u else acted("é" * n, i + 1) for i, (u, n, p) in enumerate(parts)
    ]
)


def test_at_seven_tenths_of_the_window_the_call_is_not_made() -> None:
    assert isinstance(window.fit(PROMPT, [user("a" * 26_000, 1)], Window(), PLACE), Fitting)
    assert isinstance(window.fit(PROMPT, [user("a" * 28_000, 1)], Window(), PLACE), ContextOverflowed)


def test_the_transport_bounds_the_body_whatever_the_model_takes() -> None:
    place = Place(context_tokens=10_000_000, max_body_bytes=100_000)
    assert window.limit_bytes(Window(), place) == 70_000


def test_the_real_usage_refines_the_estimate() -> None:
    assert window.limit_bytes(Window(last_bytes=1_000, last_tokens=500), PLACE) == 14_000
    assert window.limit_bytes(Window(last_bytes=10, last_tokens=1_000_000), PLACE) == 7_000


def test_nothing_as_large_as_what_was_refused_is_sent_again() -> None:
    for compactions in (0, 2):
        known = Window(refused_bytes=5_000, compactions=compactions)
        assert window.limit_bytes(known, PLACE) < 5_000


@given(st.text(max_size=3_000), st.integers(240, 2_000))
def test_a_cut_text_fits_its_part(text: str, part: int) -> None:
    assert len(window.cut_text(text, part).encode()) <= part


@given(groups, st.integers(500, 20_000))
def test_a_chosen_plan_is_strictly_smaller_and_separates_no_call_from_its_answer(
    made: list[Group], target: int
) -> None:
    plan = compaction.choose(PROMPT, made, None, target)
    before = compaction.measure(PROMPT, made, None)
    settled = compaction.settle(PROMPT, plan, '"\n' * 100_000, before) if plan else None
    if plan is None or not isinstance(settled, Compacted):
        return
    told = window.compose(PROMPT, plan.after(settled.summary), plan.part_bytes)
    assert window.size(PROMPT, told) == settled.bytes_after < before
    open_calls = [call.id for message in told for call in message.tool_calls]
    assert [message.tool_call_id for message in told if message.tool_call_id] == open_calls


@given(groups)
def test_pinned_groups_and_the_latest_are_kept(made: list[Group]) -> None:
    plan = compaction.choose(PROMPT, made, None, 2_000)
    if plan is not None:
        assert made[-1] in plan.kept
        assert all(group in plan.kept for group in made if group.is_pinned)


def test_an_oversized_latest_tool_output_is_cut() -> None:
    made = [user("pedido", 1, is_pinned=True), acted("x" * 3_000_000, 2)]
    plan = compaction.choose(PROMPT, made, None, 10_000)
    assert plan is not None
    assert window.size(PROMPT, window.compose(PROMPT, plan.after(""), plan.part_bytes)) <= 10_000


def test_what_cannot_shrink_has_no_plan() -> None:
    assert compaction.choose(PROMPT, [user("oi", 1)], None, 100) is None


def test_the_call_for_a_summary_is_itself_bounded() -> None:
    plan = compaction.choose(PROMPT, [user("a" * 50_000, seq) for seq in range(1, 9)], None, 8_000)
    assert plan is not None
    assert len(compaction.transcript(plan, 8_000)[1].content.encode()) <= 8_000


def test_a_failed_summary_leaves_a_sentence_that_counts() -> None:
    plan = compaction.choose(PROMPT, [user("a" * 5_000, seq) for seq in range(1, 9)], None, 12_000)
    assert plan is not None
    assert compaction.fitted(plan, "  ") == plan.placeholder
    assert str(sum(len(group.messages) for group in plan.summarised)) in plan.placeholder
