"""The runtime against an api over a real socket: resume, fence, stop, crash, drain, and what is never done twice."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from contracts.events import BusinessRule, ChatMessageCancelled, LogEvent, ReadinessConfirmed, TurnContinued
from contracts.failures import ErrorCode, FailureOrigin
from contracts.problem import ProblemCode
from contracts.routes.instances import Step
from contracts.routes.model import ModelCall
from contracts.routes.workers import HeartbeatAnswer
from contracts.vocabulary import FinishReason, MessageRole, TurnStatus
from engine.runtime.worker import Worker
from tests.engine.fake_api import FakeApi, Refused
from tests.engine.scripted import final

MakeWorker = Callable[[], Worker]


def rule(title: str, *origin: int) -> str:
    payload = {"title": title, "description": "d", "origin": list(origin)}
    return json.dumps({"type": "business_rule", "payload": payload})


def last_error(api: FakeApi) -> tuple[FailureOrigin, ErrorCode]:
    error = api.of_type("agent.error")[-1]
    return error.origin, error.code


async def until(holds: Callable[[], object], seconds: float = 5) -> None:
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - tests look from outside
            await asyncio.sleep(0.01)


# one turn after the other


async def test_messages_that_waited_together_are_one_turn_and_those_of_meanwhile_the_next(
    api: FakeApi, worker: Worker
) -> None:
    api.say("um")
    api.say("dois")

    def meanwhile(_: ModelCall) -> Any:
        api.say("três")
        return final("Primeira.")

    api.model.answers = [meanwhile, final("Segunda.")]
    await worker.look(api.instance_id)
    assert [started.taken for started in api.of_type("turn.started")] == [(1, 2), (4,)]
    assert api.model.last_request()[1:] == [
        (MessageRole.USER, "[1] um"),
        (MessageRole.USER, "[2] dois"),
        (MessageRole.ASSISTANT, "Primeira."),
        (MessageRole.USER, "[4] três"),
    ]


async def test_a_message_taken_back_before_it_was_taken_is_not_answered(api: FakeApi, worker: Worker) -> None:
    api.say("um")
    kept = api.say("dois")

    def cancel(_: Step) -> None:
        api.before_step = lambda _: None
        api.log[0] = replace_payload(api.log[0])
        api.append(ChatMessageCancelled(message_seq=1))

    api.before_step = cancel
    await worker.look(api.instance_id)
    assert [started.taken for started in api.of_type("turn.started")] == [(kept.seq,)]


def replace_payload(event: LogEvent) -> LogEvent:
    """The event is in the inbox no longer."""
    return event.model_copy(update={"to_agent": None})


async def test_two_workers_with_the_same_wake_make_one_turn(api: FakeApi, make_worker: MakeWorker) -> None:
    api.say("um")
    await asyncio.gather(*(make_worker().look(api.instance_id) for _ in range(4)))
    assert (len(api.model.calls), api.ends) == (1, [(TurnStatus.COMPLETED, None)])


async def test_a_readiness_click_becomes_brief_and_offer_in_one_turn(api: FakeApi, worker: Worker) -> None:
    said = api.say("Livro atrasado bloqueia.")
    api.append(BusinessRule(title="t", description="d", origin=(said.seq,)))
    api.cursor = said.seq
    api.deliver(ReadinessConfirmed())
    api.model.answers = [final("O resumo.")]
    await worker.look(api.instance_id)
    assert api.types()[3:] == [
        "turn.started",
        "agent.response",
        "artifact.product_brief",
        "handoff.offered",
        "turn.ended",
    ]
    assert api.of_type("artifact.product_brief")[0].summary == "O resumo."


async def test_a_refused_offer_leaves_the_brief_and_the_agent(api: FakeApi, worker: Worker) -> None:
    said = api.say("a")
    api.append(BusinessRule(title="t", description="d", origin=(said.seq,)))
    api.cursor = said.seq
    api.deliver(ReadinessConfirmed())
    api.faults["offer_handoff"] = [Refused(ProblemCode.INVALID_HANDOFF, "not today")]
    await worker.look(api.instance_id)
    assert (len(api.of_type("artifact.product_brief")), last_error(api)[1]) == (1, ErrorCode.HANDOFF_REFUSED)
    api.say("oi")
    await worker.look(api.instance_id)
    assert api.ends[-1] == (TurnStatus.COMPLETED, None)


async def test_a_duplicate_rule_is_mended_in_the_same_turn(api: FakeApi, worker: Worker) -> None:
    said = api.say("a")
    api.append(BusinessRule(title="Prazo", description="d", origin=(said.seq,)))
    api.model.answers = [
        final("", ("emit_artifact", rule("prazo", 1))),
        final("", ("emit_artifact", rule("Multa", 1))),
        final("Pronto."),
    ]
    await worker.look(api.instance_id)
    assert [event.title for event in api.of_type("artifact.business_rule")] == ["Prazo", "Multa"]
    assert [error.will_retry for error in api.of_type("agent.error")] == [True]
    assert "already" in api.of_type("tool.result")[0].text
    assert api.ends == [(TurnStatus.COMPLETED, None)]


async def test_f17_malformed_arguments_execute_nothing(api: FakeApi, worker: Worker) -> None:
    api.say("a")
    bad = ["", '{"type": "no', "[]", "null", rule("a", 1) + " ok?", "x" * 2_000_000]
    api.model.answers = [final("", *(("emit_artifact", text) for text in bad)), final("Desisto.")]
    await worker.look(api.instance_id)
    assert [result.ok for result in api.of_type("tool.result")] == [False] * 6
    assert "artifact.business_rule" not in api.types()
    assert all(len(result.text) <= 800 for result in api.of_type("tool.result"))
    sent = [json.loads(call.arguments) for message in api.model.calls[1].messages for call in message.tool_calls]
    assert len(sent) == 6


# a worker that ends in the middle


@pytest.mark.parametrize("tools", [False, True])
async def test_f1_a_step_that_was_saved_is_resumed_by_another_worker(
    api: FakeApi, make_worker: MakeWorker, tools: bool
) -> None:
    api.say("a")
    api.model.answers = [final("Anoto.", ("emit_artifact", rule("Prazo", 1)))] if tools else []
    api.model.gate = asyncio.Event()
    first = asyncio.create_task(make_worker().look(api.instance_id))
    await api.model.streaming.wait()
    if tools:
        api.model.gate.set()
        await until(lambda: "tool.call" in api.types())
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    api.model.gate = None
    api.steal()
    api.worker = None
    api.model.answers = [final("Fim.")]
    await make_worker().look(api.instance_id)
    assert api.ends == [(TurnStatus.COMPLETED, None)]
    assert (len(api.of_type("turn.started")), len(api.of_type("artifact.business_rule"))) == (1, int(tools))


async def test_an_effect_whose_answer_was_lost_is_asked_for_again_and_done_once(api: FakeApi, worker: Worker) -> None:
    api.say("a")
    api.model.answers = [final("", ("emit_artifact", rule("Prazo", 1))), final("Fim.")]
    api.faults["emit_artifact"] = ["answer lost"]
    await worker.look(api.instance_id)
    keys = [key for name, key in api.requests if name == "emit_artifact"]
    assert (len(keys), len(set(keys)), len(api.of_type("artifact.business_rule"))) == (2, 1, 1)


async def test_f3_a_step_is_tried_again_when_the_api_answers_502(api: FakeApi, worker: Worker) -> None:
    api.say("a")
    api.faults["step"] = [502, 502, 502]
    await worker.look(api.instance_id)
    assert api.ends == [(TurnStatus.COMPLETED, None)]


async def test_a_stream_that_breaks_is_asked_for_again_under_its_key(api: FakeApi, worker: Worker) -> None:
    api.say("a")
    api.model.answers = [ConnectionError("the process died"), final("Fim.")]
    await worker.look(api.instance_id)
    keys = [key for name, key in api.requests if name == "stream_turn"]
    assert (len(keys), len(set(keys)), api.ends) == (2, 1, [(TurnStatus.COMPLETED, None)])


async def test_a_second_loss_ends_the_turn_interrupted_and_continue_goes_on(api: FakeApi, worker: Worker) -> None:
    api.say("a")
    api.model.answers = [final("", error=ErrorCode.INTERRUPTED, finish=FinishReason.ERROR)]
    await worker.look(api.instance_id)
    assert (api.ends, last_error(api)) == (
        [(TurnStatus.INTERRUPTED, ErrorCode.INTERRUPTED)],
        (FailureOrigin.INFRA, ErrorCode.INTERRUPTED),
    )
    api.deliver(TurnContinued())
    await worker.look(api.instance_id)
    assert api.ends[-1] == (TurnStatus.COMPLETED, None)
    assert api.model.last_request()[1] == (MessageRole.USER, "[1] a")


async def test_a_turn_whose_state_is_not_its_own_begins_anew(api: FakeApi, worker: Worker) -> None:
    api.say("a")
    api.model.gate = asyncio.Event()
    task = asyncio.create_task(worker.look(api.instance_id))
    await api.model.streaming.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    api.model.gate = None
    assert api.state is not None
    api.state = json.dumps({**json.loads(api.state), "turn_id": str(uuid4())})
    api.worker = None
    await worker.look(api.instance_id)
    assert api.ends == [(TurnStatus.COMPLETED, None)]


# fence and stop


async def streaming(api: FakeApi, worker: Worker) -> asyncio.Task[None]:
    """An activation in the middle of its model call."""
    api.say("a")
    api.model.gate = asyncio.Event()
    task = asyncio.create_task(worker.look(api.instance_id))
    await api.model.streaming.wait()
    return task


async def test_a_worker_whose_epoch_is_over_writes_nothing(api: FakeApi, worker: Worker) -> None:
    task = await streaming(api, worker)
    written = len(api.log)
    api.steal()
    assert api.model.gate is not None
    api.model.gate.set()
    await asyncio.wait_for(task, 3)
    assert len(api.log) == written


async def test_a_lost_lease_cancels_the_activation_and_its_stream(api: FakeApi, worker: Worker) -> None:
    task = await streaming(api, worker)
    written = len(api.log)
    api.beat_answer = lambda _: HeartbeatAnswer(lost=(api.instance_id,))
    await asyncio.wait_for(task, 3)
    await until(lambda: api.model.cut == 1)
    assert (len(api.log), "release" in [name for name, _ in api.requests]) == (written, False)


async def test_f4_a_stop_told_by_the_heartbeat_cuts_the_stream_and_gives_the_lease_back(
    api: FakeApi, worker: Worker
) -> None:
    task = await streaming(api, worker)
    api.stop()
    written, calls = len(api.log), len(api.model.calls)
    api.beat_answer = lambda _: HeartbeatAnswer(stopped=(api.instance_id,))
    await asyncio.wait_for(task, 3)
    await until(lambda: api.model.cut == 1)
    assert (len(api.log), len(api.model.calls), api.worker) == (written, calls, None)


async def test_f4_a_stop_told_by_the_step_writes_nothing_and_keeps_the_queue(api: FakeApi, worker: Worker) -> None:
    task = await streaming(api, worker)
    api.say("na fila")
    api.stop()
    written = len(api.log)
    assert api.model.gate is not None
    api.model.gate.set()
    await asyncio.wait_for(task, 3)
    assert (len(api.log), api.worker, len(api.model.calls)) == (written, None, 1)


async def test_f27_what_was_queued_is_answered_after_the_person_sends_again(api: FakeApi, worker: Worker) -> None:
    await test_f4_a_stop_told_by_the_step_writes_nothing_and_keeps_the_queue(api, worker)
    api.model.gate = None
    api.is_held = False
    api.say("de novo")
    await worker.look(api.instance_id)
    assert [text for _, text in api.model.last_request()[-2:]] == ["[3] na fila", "[5] de novo"]


async def test_a_stop_of_an_earlier_turn_does_not_touch_the_next(api: FakeApi, worker: Worker) -> None:
    task = await streaming(api, worker)
    running = worker.running[api.instance_id]
    turn_id, running.turn_id = running.turn_id, uuid4()
    listed = running.held
    running.turn_id = turn_id
    assert listed is not None
    worker.heart._hear((listed,), HeartbeatAnswer(stopped=(api.instance_id,)), worker.monotonic())
    assert api.model.gate is not None
    api.model.gate.set()
    await asyncio.wait_for(task, 3)
    assert api.ends == [(TurnStatus.COMPLETED, None)]


async def test_a_worker_that_cannot_renew_fences_itself(api: FakeApi, worker: Worker) -> None:
    task = await streaming(api, worker)
    written = len(api.log)
    api.faults["heartbeat"] = [503] * 100
    began = asyncio.get_running_loop().time()
    await asyncio.wait_for(task, 5)
    assert 2 < asyncio.get_running_loop().time() - began < 4.5
    assert len(api.log) == written


async def test_a_heartbeat_names_instance_epoch_and_turn(api: FakeApi, worker: Worker) -> None:
    task = await streaming(api, worker)
    await until(lambda: api.beats and api.beats[-1].running and api.beats[-1].running[0].turn_id)
    held = api.beats[-1].running[0]
    assert (held.instance_id, held.epoch, held.turn_id) == (api.instance_id, api.epoch, api.turn_id)
    assert api.model.gate is not None
    api.model.gate.set()
    await task


async def test_each_cancel_ends_its_task_within_a_second_however_often_it_comes(api: FakeApi, worker: Worker) -> None:
    task = await streaming(api, worker)
    api.beat_answer = lambda _: HeartbeatAnswer(lost=(api.instance_id,))
    for _ in range(3):
        worker.heart._hear((worker.running[api.instance_id].held,), HeartbeatAnswer(lost=(api.instance_id,)), 0)  # type: ignore[arg-type]
    await asyncio.wait_for(task, 1)
    await until(lambda: api.model.cut == 1, 1)


# an agent's own defects


def with_behaviour(worker: Worker, handle: Any) -> None:
    creative = worker.agents["creative"]
    worker.agents = {"creative": replace(creative, handle=handle)}


def crash(*_: object) -> Any:
    raise ZeroDivisionError("the agent's own")


@pytest.mark.parametrize("handle", [crash, lambda *_: None, lambda *_: "step"])
async def test_rn_059_a_crash_or_nonsense_costs_the_turn_and_not_the_worker(
    api: FakeApi, worker: Worker, handle: Any
) -> None:
    sound = worker.agents
    with_behaviour(worker, handle)
    api.say("a")
    await worker.look(api.instance_id)
    assert (api.ends, last_error(api)) == (
        [(TurnStatus.FAILED, ErrorCode.AGENT_CRASHED)],
        (FailureOrigin.CODE, ErrorCode.AGENT_CRASHED),
    )
    assert "Error" in api.of_type("agent.error")[0].diagnosis
    worker.agents = sound
    api.say("b")
    await worker.look(api.instance_id)
    assert api.ends[-1] == (TurnStatus.COMPLETED, None)


async def test_a_step_that_the_api_refuses_for_its_content_ends_the_turn(api: FakeApi, worker: Worker) -> None:
    api.say("a")

    def refuse(body: Step) -> None:
        if body.step == 2:
            api.before_step = lambda _: None
            raise Refused(ProblemCode.INVALID_BODY, "field x")

    api.before_step = refuse
    await worker.look(api.instance_id)
    assert api.ends == [(TurnStatus.FAILED, ErrorCode.REQUEST_REJECTED)]


async def test_a_saved_state_that_cannot_be_read_ends_its_turn_with_that_word(api: FakeApi, worker: Worker) -> None:
    task = await streaming(api, worker)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    api.state, api.worker, api.model.gate = '{"of": "another version"}', None, None
    await worker.look(api.instance_id)
    assert api.ends == [(TurnStatus.FAILED, ErrorCode.AGENT_CRASHED)]


# size


async def test_f18_a_refused_body_is_never_sent_again_as_it_was_and_the_next_message_works(
    api: FakeApi, worker: Worker
) -> None:
    limit = 20_000

    def strict(call: ModelCall) -> Any:
        size = len(call.model_dump_json())
        sizes.append(size)
        return final("ok") if size < limit else final("", error=ErrorCode.CONTEXT_TOO_LARGE, finish=FinishReason.ERROR)

    sizes = list[int]()
    for _ in range(8):
        api.say("x" * 9_000)
    api.model.answers = [strict] * 20
    await worker.look(api.instance_id)
    streamed = [size for size, call in zip(sizes, api.model.calls, strict=True) if call.call == 0]
    assert (streamed == sorted(streamed, reverse=True), len(set(streamed))) == (True, len(streamed))
    assert len(api.of_type("context.compacted")) <= 2
    assert all(event.bytes_after < event.bytes_before for event in api.of_type("context.compacted"))
    api.say("pequena")
    await worker.look(api.instance_id)
    assert api.ends[-1] == (TurnStatus.COMPLETED, None)


async def test_a_long_conversation_is_compacted_before_the_call(api: FakeApi, worker: Worker) -> None:
    api.context_tokens = 8_192
    api.model.answers = [final("y" * 4_000) for _ in range(12)]
    for number in range(6):
        api.say(f"mensagem {number} " + "z" * 4_000)
        await worker.look(api.instance_id)
    assert api.of_type("context.compacted")
    assert all(len(call.model_dump_json()) < 8_192 * 4 for call in api.model.calls)
    assert {status for status, _ in api.ends} == {TurnStatus.COMPLETED}


# drain


async def test_a_draining_worker_claims_nothing(api: FakeApi, worker: Worker) -> None:
    api.say("a")
    await worker.drain()
    await worker.look(api.instance_id)
    assert "claim" not in [name for name, _ in api.requests]


async def test_a_draining_worker_lets_the_call_finish_and_hands_over_at_the_border(
    api: FakeApi, worker: Worker, make_worker: MakeWorker
) -> None:
    task = await streaming(api, worker)
    assert api.model.gate is not None
    api.model.answers = []
    draining = worker.drain()
    api.model.gate.set()
    await asyncio.wait_for(asyncio.gather(task, draining), 3)
    assert (api.worker, api.ends) == (None, [(TurnStatus.COMPLETED, None)])
