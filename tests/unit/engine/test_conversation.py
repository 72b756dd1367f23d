"""The conversation is a fold over the log: whole, in order, every call answered exactly once."""

import json
from collections import Counter
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from contracts.events import (
    AgentResponse,
    ChatMessageCancelled,
    ContextCompacted,
    ModelNudged,
    ToolCalled,
    ToolFinished,
)
from contracts.failures import ErrorCode
from contracts.routes.model import ModelMessage
from contracts.vocabulary import MessageRole
from engine.agents.assistant import context as assistant
from engine.agents.creative.context import say
from engine.domain.conversation import NO_RESULT, SUMMARY, fold, replayable
from tests.unit.engine.told import Told


def messages(log: Told, agent: str = "creative") -> list[ModelMessage]:
    return [message for group in fold(log.events, agent, say) for message in group.messages]


def texts(log: Told, agent: str = "creative") -> list[tuple[MessageRole, str]]:
    return [(message.role, message.content) for message in messages(log, agent)]


def test_a_queued_message_is_unseen_until_a_turn_takes_it() -> None:
    log = Told()
    turn = log.start(log.say("um"))
    queued = log.say("dois")
    log.add(AgentResponse(turn_id=turn, iteration=1, content="resposta"))
    before = texts(log)
    log.start(queued)
    assert before == [(MessageRole.USER, "[1] um"), (MessageRole.ASSISTANT, "resposta")]
    assert texts(log)[2:] == [(MessageRole.USER, "[3] dois")]


def test_a_cancelled_message_is_never_seen() -> None:
    log = Told()
    cancelled = log.say("esqueça")
    log.add(ChatMessageCancelled(message_seq=cancelled.seq))
    log.start(log.say("isto"))
    assert texts(log) == [(MessageRole.USER, "[3] isto")]


def test_messages_taken_together_are_told_in_order() -> None:
    log = Told()
    log.start(*[log.say(text) for text in ("a", "b", "c")])
    assert [text for _, text in texts(log)] == ["[1] a", "[2] b", "[3] c"]


def test_text_and_calls_of_an_iteration_are_one_message_followed_by_their_answers() -> None:
    log = Told()
    turn = log.start(log.say("oi"))
    log.add(AgentResponse(turn_id=turn, iteration=1, content="Anoto."))
    for name in ("a", "b"):
        log.add(ToolCalled(turn_id=turn, iteration=1, call_id=name, tool="t", arguments="{}"))
    log.add(ToolFinished(turn_id=turn, call_id="b", tool="t", ok=True, text="feito"))
    told = messages(log)[1:]
    assert (told[0].content, [call.id for call in told[0].tool_calls]) == ("Anoto.", ["a", "b"])
    assert [(message.tool_call_id, message.content) for message in told[1:]] == [("a", NO_RESULT), ("b", "feito")]


def test_a_nudge_is_told_as_the_harness_speaking_and_the_empty_answer_is_not_there() -> None:
    log = Told()
    turn = log.start(log.say("oi"))
    log.add(ModelNudged(turn_id=turn, reason=ErrorCode.EMPTY_ANSWER, text="[harness] again"))
    assert texts(log)[1:] == [(MessageRole.USER, "[harness] again")]


def test_another_agents_turns_are_not_part_of_the_conversation() -> None:
    log = Told()
    log.start(log.say("para a outra", "assistant"))
    log.start(log.say("para mim"))
    assert [text for _, text in texts(log)] == ["[3] para mim"]


def test_the_assistant_is_told_messages_without_numbers() -> None:
    log = Told(agent="assistant")
    assert assistant.say(log.say("oi"), log.events) == "oi"


def compacted(log: Told, through: int, summary: str = "resumo") -> None:
    turn = log.start(log.say("mais"))
    event = ContextCompacted(turn_id=turn, through_seq=through, summary=summary, bytes_before=2, bytes_after=1)
    log.add(event)


def test_what_was_compacted_is_replaced_by_its_summary() -> None:
    log = Told()
    turn = log.start(log.say("antigo"))
    through = log.add(AgentResponse(turn_id=turn, iteration=1, content="velha")).seq
    compacted(log, through)
    assert texts(log) == [(MessageRole.USER, SUMMARY + "resumo"), (MessageRole.USER, "[4] mais")]


def test_a_compaction_that_only_cut_texts_brings_nothing_back() -> None:
    log = Told()
    turn = log.start(log.say("antigo"))
    through = log.add(AgentResponse(turn_id=turn, iteration=1, content="velha")).seq
    compacted(log, through)
    compacted(log, 0, summary="")
    assert texts(log)[0] == (MessageRole.USER, SUMMARY + "resumo")


def test_what_the_person_asked_in_the_latest_turn_outlives_compaction() -> None:
    log = Told()
    turn = log.start(log.say("pedido"))
    through = log.add(AgentResponse(turn_id=turn, iteration=1, content="passo")).seq
    event = ContextCompacted(turn_id=turn, through_seq=through, summary="resumo", bytes_before=2, bytes_after=1)
    log.add(event)
    assert texts(log) == [(MessageRole.USER, SUMMARY + "resumo"), (MessageRole.USER, "[1] pedido")]


@given(st.text())
def test_arguments_that_are_replayed_are_always_a_json_object(text: str) -> None:
    assert isinstance(json.loads(replayable(text)), dict)


@st.composite
def logs(draw: st.DrawFn) -> Told:
    """Any interleaving of turns, queued messages, calls with and without results, repeats included."""
    log = Told()
    for _ in range(draw(st.integers(1, 4))):
        queued = [log.say(f"m{number}") for number in range(draw(st.integers(1, 3)))]
        turn = log.start(*queued)
        for iteration in range(1, draw(st.integers(1, 4))):
            if draw(st.booleans()):
                log.add(AgentResponse(turn_id=turn, iteration=iteration, content="texto"))
            for _ in range(draw(st.integers(0, 3))):
                call_id = draw(st.sampled_from(["a", "b", uuid4().hex]))
                log.add(ToolCalled(turn_id=turn, iteration=iteration, call_id=call_id, tool="t", arguments="{"))
                for _ in range(draw(st.integers(0, 2))):
                    log.add(ToolFinished(turn_id=turn, call_id=call_id, tool="t", ok=True, text="r"))
    return log


@given(logs())
def test_every_call_has_exactly_one_answer_right_behind_its_message(log: Told) -> None:
    told = messages(log)
    assert max(Counter(call.id for message in told for call in message.tool_calls).values(), default=0) <= 1
    for place, message in enumerate(told):
        behind = told[place + 1 : place + 1 + len(message.tool_calls)]
        assert [answer.tool_call_id for answer in behind] == [call.id for call in message.tool_calls]
    answers = [message for message in told if message.role is MessageRole.TOOL]
    assert len(answers) == sum(len(message.tool_calls) for message in told)


@given(logs())
def test_no_message_is_empty_and_the_order_of_people_is_kept(log: Told) -> None:
    told = messages(log)
    assert all(message.content or message.tool_calls for message in told)
    seqs = [int(message.content[1:].split("]")[0]) for message in told if message.role is MessageRole.USER]
    assert seqs == sorted(seqs)


@given(logs(), st.randoms())
def test_the_fold_does_not_depend_on_the_order_in_which_events_became_known(log: Told, random: object) -> None:
    shuffled = list(log.events)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fold(shuffled, "creative", say) == fold(log.events, "creative", say)
