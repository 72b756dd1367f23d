"""An api in memory, served over a real socket: one session, the contract's routes, real fencing."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID, uuid4

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route as Path

from contracts import auth
from contracts.base import Message
from contracts.events import (
    Actor,
    AnyEvent,
    BusinessRule,
    ChatMessage,
    HandoffOffered,
    LogEvent,
    ProductBrief,
    TurnEnded,
    TurnStarted,
)
from contracts.failures import ErrorCode
from contracts.limits import LEASE_MS
from contracts.problem import PROBLEM_MEDIA_TYPE, STATUS_OF, Problem, ProblemCode
from contracts.routes import SERVED_BY_API, Route
from contracts.routes.effects import EmitArtifact, EmitBrief, EventWritten, HandoffAnswer, OfferHandoff
from contracts.routes.instances import (
    AgentContext,
    Claim,
    ClaimAnswer,
    Fence,
    HistoryAnswer,
    HistoryQuery,
    Lease,
    ReleaseAnswer,
    RunningTurn,
    Step,
    StepAnswer,
)
from contracts.routes.workers import Heartbeat, HeartbeatAnswer
from contracts.text import fold
from contracts.version import INTERNAL_PREFIX
from contracts.vocabulary import ActorKind, Language, SessionKind, TurnStatus
from tests.engine.scripted import Model

KEYS = (auth.SigningKey("k1", b"secret"),)
Written = TypeVar("Written", EventWritten, HandoffAnswer)
PERSON = Actor(kind=ActorKind.USER, id="5e1f")


class Refused(Exception):
    """A problem to answer with."""

    def __init__(self, code: ProblemCode, detail: str = "no", **facts: str) -> None:
        self.problem = Problem(title=code, status=STATUS_OF[code], code=code, detail=detail, facts=facts)


@dataclass
class FakeApi:
    """`faults` maps a route's name to what happens instead, one entry a call; `beats` are the heartbeats seen."""

    agent: str = "creative"
    model: Model = field(default_factory=Model)
    log: list[LogEvent] = field(default_factory=list)
    instance_id: UUID = field(default_factory=uuid4)
    session_id: UUID = field(default_factory=uuid4)
    epoch: int = 0
    step: int = 0
    state: str | None = None
    cursor: int = 0
    turn_id: UUID | None = None
    turns: int = 0
    worker: UUID | None = None
    is_held: bool = False
    context_tokens: int = 100_000
    max_body_bytes: int = 8_000_000
    kept: dict[str, Any] = field(default_factory=dict)
    faults: dict[str, list[Any]] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)
    beats: list[Heartbeat] = field(default_factory=list)
    beat_answer: Callable[[Heartbeat], HeartbeatAnswer] = lambda _: HeartbeatAnswer()
    before_step: Callable[[Step], None] = lambda _: None

    # what tests do

    def say(self, text: str, agent: str | None = None) -> LogEvent:
        """A person's message, queued."""
        return self.deliver(ChatMessage(text=text, client_message_id=str(uuid4())), agent)

    def deliver(self, payload: AnyEvent, agent: str | None = None) -> LogEvent:
        """An addressed event."""
        return self.append(payload, PERSON, agent or self.agent)

    def append(self, payload: AnyEvent, actor: Actor | None = None, to_agent: str | None = None) -> LogEvent:
        """One more row of the log."""
        event = LogEvent(
            id=uuid4(),
            session_id=self.session_id,
            seq=len(self.log) + 1,
            actor=actor or Actor(kind=ActorKind.AGENT, id=self.agent),
            to_agent=to_agent,
            created_at=datetime.now(UTC),
            payload=payload,
        )
        self.log.append(event)
        return event

    def stop(self) -> None:
        """A person stops the running turn."""
        self.is_held = True
        if self.turn_id:
            self.append(TurnEnded(turn_id=self.turn_id, status=TurnStatus.STOPPED, reason=ErrorCode.CANCELLED_BY_USER))
        self.turn_id = None

    def steal(self) -> None:
        """Another worker claims the instance."""
        self.epoch += 1
        self.worker = uuid4()

    def of_type(self, kind: str) -> list[Any]:
        """Payloads of one type, in order."""
        return [event.payload for event in self.log if event.payload.type == kind]

    def types(self) -> list[str]:
        """All types, in order."""
        return [event.payload.type for event in self.log]

    @property
    def ends(self) -> list[tuple[TurnStatus, Any]]:
        """How the turns ended."""
        return [(ended.status, ended.reason) for ended in self.of_type("turn.ended")]

    # what the contract serves

    def inbox(self) -> tuple[LogEvent, ...]:
        return tuple(event for event in self.log if event.to_agent == self.agent and event.seq > self.cursor)

    def claim(self, body: Claim) -> ClaimAnswer:
        if self.worker is not None or self.is_held or not (self.inbox() or self.turn_id):
            return ClaimAnswer(lease=None)
        self.worker, self.epoch = body.worker, self.epoch + 1
        turn = RunningTurn(turn_id=self.turn_id, number=self.turns) if self.turn_id else None
        lease = Lease(
            epoch=self.epoch,
            step=self.step,
            lease_ms=LEASE_MS,
            state=self.state,
            turn=turn,
            inbox=self.inbox(),
            context=self.context(),
        )
        return ClaimAnswer(lease=lease)

    def context(self) -> AgentContext:
        return AgentContext(
            instance_id=self.instance_id,
            session_id=self.session_id,
            project_id=uuid4(),
            agent=self.agent,
            project_name="Biblioteca",
            language=Language.PORTUGUESE,
            session_kind=SessionKind.CREATIVE,
            context_tokens=self.context_tokens,
            max_body_bytes=self.max_body_bytes,
        )

    def fence(self, body: Fence) -> None:
        if body.epoch != self.epoch:
            raise Refused(ProblemCode.FENCED)

    def save(self, body: Step) -> StepAnswer:
        self.before_step(body)
        self.fence(body)
        if self.turn_id != (None if body.take else body.turn_id) or (body.take and self.is_held):
            raise Refused(ProblemCode.STOPPED)
        assert body.step == self.step + 1
        written = []
        if body.take:
            if tuple(event.seq for event in self.inbox())[: len(body.take.seqs)] != body.take.seqs:
                raise Refused(ProblemCode.INBOX_CHANGED)
            self.turn_id, self.turns, self.cursor = body.turn_id, self.turns + 1, body.take.seqs[-1]
            written.append(self.append(TurnStarted(turn_id=body.turn_id, number=self.turns, taken=body.take.seqs)))
        self.step, self.state = body.step, body.state
        written += [self.append(payload) for payload in body.events]
        if not body.end:
            return StepAnswer(events=tuple(written))
        self.turn_id = None
        ended = TurnEnded(turn_id=body.turn_id, status=body.end.status, reason=body.end.reason)
        written.append(self.append(ended))
        return StepAnswer(events=tuple(written), inbox=self.inbox())

    def release(self, body: Fence) -> ReleaseAnswer:
        self.fence(body)
        if self.turn_id is None and self.inbox() and not self.is_held:
            return ReleaseAnswer(released=False, inbox=self.inbox())
        self.worker = None
        return ReleaseAnswer(released=True)

    def history(self, body: HistoryQuery) -> HistoryAnswer:
        page = self.log[body.after : body.after + body.limit]
        return HistoryAnswer(events=tuple(page), has_more=body.after + len(page) < len(self.log))

    def heartbeat(self, body: Heartbeat) -> HeartbeatAnswer:
        self.beats.append(body)
        return self.beat_answer(body)

    def effect(self, name: str, body: Any, make: Callable[[], Written]) -> Written:
        self.fence(body)
        if self.turn_id != body.turn_id:
            raise Refused(ProblemCode.STOPPED)
        key = f"{name}:{body.step}"
        if key not in self.kept:
            self.kept[key] = make()
        kept: Written = self.kept[key]
        return kept

    def artifact(self, body: EmitArtifact) -> EventWritten:
        return self.effect("artifact", body, lambda: self.store(body))

    def store(self, body: EmitArtifact) -> EventWritten:
        titles = [rule.title for rule in self.of_type("artifact.business_rule")]
        artifact = body.artifact
        if isinstance(artifact, BusinessRule):
            for title in titles:
                if fold(title) == fold(artifact.title):
                    raise Refused(ProblemCode.DUPLICATE_RULE, "It is there.", existing=title)
        return EventWritten(event=self.append(artifact))

    def brief(self, body: EmitBrief) -> EventWritten:
        rules = tuple(event.id for event in self.log if event.payload.type == "artifact.business_rule")
        make = lambda: EventWritten(event=self.append(ProductBrief(number=1, summary=body.summary, rules=rules)))  # noqa: E731
        return self.effect("brief", body, make)

    def offer(self, body: OfferHandoff) -> HandoffAnswer:
        def make() -> HandoffAnswer:
            offered = HandoffOffered(
                handoff_id=uuid4(),
                from_agent=self.agent,
                to_agent=body.to_agent,
                artifact_event_id=body.artifact_event_id,
            )
            return HandoffAnswer(handoff_id=offered.handoff_id, event=self.append(offered))

        return self.effect("handoff", body, make)

    def app(self) -> Starlette:
        """The routes of the contract over this state."""
        handlers: dict[str, Callable[[Any], Message]] = {
            "claim": self.claim,
            "step": self.save,
            "release": lambda body: self.release(body),  # noqa: PLW0108 - a test may replace it
            "history": self.history,
            "heartbeat": self.heartbeat,
            "emit_artifact": self.artifact,
            "emit_brief": self.brief,
            "offer_handoff": self.offer,
            "complete_turn": self.model.next,
        }
        return Starlette(
            routes=[
                Path(
                    INTERNAL_PREFIX + route.path, self.endpoint(route, handlers.get(route.name)), methods=[route.method]
                )
                for route in SERVED_BY_API
            ]
        )

    def endpoint(self, route: Route[Any, Any], handler: Callable[[Any], Message] | None) -> Any:
        async def serve(request: Request) -> Response:
            raw = await request.body()
            self.verify(request, raw)
            self.requests.append((route.name, request.headers.get(auth.IDEMPOTENCY_HEADER, "")))
            fault = self.faults[route.name].pop(0) if self.faults.get(route.name) else None
            if isinstance(fault, int):
                return Response("upstream is away", fault)
            try:
                if isinstance(fault, Refused):
                    raise fault
                is_get = route.method == "GET"
                parsed = (
                    route.request.model_validate(dict(request.query_params), strict=False)
                    if is_get
                    else route.request.model_validate_json(raw)
                )
                if handler is None:
                    self.fence(parsed)
                    return StreamingResponse(self.model.frames(parsed), media_type="text/event-stream")
                answer = handler(parsed)
            except Refused as refusal:
                problem = refusal.problem
                return Response(problem.model_dump_json(), problem.status, media_type=PROBLEM_MEDIA_TYPE)
            if fault == "answer lost":
                return Response("", 502)
            return Response(answer.model_dump_json(), media_type="application/json")

        return serve

    def verify(self, request: Request, body: bytes) -> None:
        names = [value for name, value in vars(auth).items() if name.endswith("_HEADER")]
        headers = {name: request.headers[name] for name in names if name in request.headers}
        query = request.scope["query_string"].decode()
        target = request.scope["raw_path"].decode() + (f"?{query}" if query else "")
        verdict = auth.verify(KEYS, auth.API, int(time.time()), request.method, target, body, headers)
        assert isinstance(verdict, auth.Verified), verdict
        assert verdict.acting_user == ""
        assert (request.method == "GET") != bool(verdict.idempotency_key)
