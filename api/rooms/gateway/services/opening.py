"""Begin a call in one transaction: kept frame, fence, binding, price, hold, row."""

from dataclasses import replace
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agents import services as agents
from api.rooms.agents.services import InstanceFacts
from api.rooms.budgets.domain.places import Place
from api.rooms.gateway.domain import attempts
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.endings import CutReason
from api.rooms.gateway.providers import PROVIDERS, ProviderFailure, Target
from api.rooms.gateway.services import credentials, losing, registry, resolving, scripts
from api.rooms.gateway.services.catalogue import may_call
from api.rooms.gateway.services.holding import hold_and_record
from api.rooms.gateway.services.opened import GATEWAY, Opened
from api.rooms.gateway.services.refused import refused
from api.rooms.gateway.services.resolving import Resolved
from api.rooms.kernel import statements
from api.rooms.kernel.crypto import Unreadable
from api.rooms.kernel.refusals import Refusal
from api.rooms.kernel.statements import Answer
from contracts.events import ModelCallRepeated
from contracts.failures import ErrorCode
from contracts.problem import ProblemCode
from contracts.routes.model import Final, ModelCall

TRIED_SQL = """
SELECT attempt, status, kept_frame FROM gateway_call WHERE instance_id = %s AND step = %s AND call = %s ORDER BY attempt
"""


def open_call(call_id: UUID, instance_id: UUID, call: ModelCall) -> Opened | Final:
    """A Final when the answer was bought before or may not be bought. Raises Refusal when the worker is stale."""
    try:
        return _open_fenced(call_id, instance_id, call)
    except Refusal:
        kept = _kept(instance_id, call)
        if kept is None:
            raise
        return kept


@transaction.atomic
def _open_fenced(call_id: UUID, instance_id: UUID, call: ModelCall) -> Opened | Final:
    owner = agents.owner_of(instance_id)
    home = agent_sessions.home_of(owner.session_id)
    place = Place(home.workspace_id, home.project_id, owner.session_id)
    with statements.together():
        locking = agents.Locking(instance_id)
        trying = _trying(instance_id, call)
        bindings = resolving.bindings(place, owner.agent)
    facts = locking.fenced(call.epoch, call.turn_id)
    tried = _tried(trying)
    if any(attempt.status is CallStatus.OPEN for attempt in tried):
        lost = losing.lose_open(instance_id, CutReason.REPEATED, step=call.step, call=call.call)
        transaction.on_commit(lambda: registry.cut(lost, CutReason.REPEATED))
        tried = _tried(_trying(instance_id, call))
    match attempts.decide(tried):
        case attempts.Kept(frame):
            return Final.model_validate_json(frame)
        case attempts.Passed():
            raise Refusal(ProblemCode.FENCED, "The answer to this call was used in a step that is already saved.")
        case attempts.Interrupted(losses):
            return refused(losses, ErrorCode.INTERRUPTED, {"losses": str(losses)}, is_repeated=True)
        case attempts.Begin(attempt, is_repeated):
            found = bindings.resolved(needs_tools=bool(call.tools))
            return _begin(call_id, facts, call, found, attempt, is_repeated=is_repeated)


def prepare(call_id: UUID, instance_id: UUID, call: ModelCall) -> Final | tuple[Opened, str | ProviderFailure]:
    """`open_call`, then the key of the provider or the policy that stands in its way; nothing is sent yet."""
    opened = open_call(call_id, instance_id, call)
    return opened if isinstance(opened, Final) else (opened, secret_for(opened))


def secret_for(opened: Opened) -> str | ProviderFailure:
    """The key of the provider, or the policy that stands in its way."""
    if not may_call(opened.provider, opened.target.base_url):
        return ProviderFailure(ErrorCode.MODEL_NOT_ALLOWED, "The operator allows no private address.", was_sent=False)
    secret = credentials.opened(opened.place.workspace_id, opened.provider, opened.target.base_url, opened.sealed)
    if secret is None:
        return ProviderFailure(ErrorCode.NO_CREDENTIAL, ErrorCode.NO_CREDENTIAL.value, was_sent=False)
    if isinstance(secret, Unreadable):
        return ProviderFailure(ErrorCode.CREDENTIAL_UNREADABLE, secret.reason, was_sent=False)
    return secret


def _kept(instance_id: UUID, call: ModelCall) -> Final | None:
    """Also a worker that was replaced or stopped meanwhile gets what was bought for its key."""
    decision = attempts.decide(_tried(_trying(instance_id, call)))
    return Final.model_validate_json(decision.frame) if isinstance(decision, attempts.Kept) else None


def _trying(instance_id: UUID, call: ModelCall) -> Answer:
    return statements.send(TRIED_SQL, [instance_id, call.step, call.call])


def _tried(answer: Answer) -> list[attempts.Tried]:
    return [attempts.Tried(attempt, CallStatus(status), kept) for attempt, status, kept in answer.rows()]


def _begin(
    call_id: UUID, facts: InstanceFacts, call: ModelCall, found: Resolved | None, attempt: int, *, is_repeated: bool
) -> Opened | Final:
    if found is None:
        return refused(attempt, ErrorCode.NO_BINDING, {"agent": facts.agent}, is_repeated=is_repeated)
    opened = _opened(call_id, facts, call, found)
    opened = replace(opened, attempt=attempt, is_repeated=is_repeated)
    no_money = hold_and_record(opened)
    if no_money is not None:
        return no_money
    if is_repeated:
        agent_sessions.append(facts.session_id, GATEWAY, ModelCallRepeated(turn_id=call.turn_id, attempt=attempt))
    return opened


def _opened(call_id: UUID, facts: InstanceFacts, call: ModelCall, found: Resolved) -> Opened:
    provider = PROVIDERS[found.provider]
    entry = None
    if provider.is_rehearsal:
        entry = scripts.entry_for(facts.session_id, facts.id, call.step, call.call)
    target = Target(found.base_url, found.model, "", entry)
    return Opened(
        call_id=call_id,
        instance_id=facts.id,
        place=Place(facts.workspace_id, facts.project_id, facts.session_id),
        project_id=facts.project_id,
        session_id=facts.session_id,
        agent=facts.agent,
        attempt=0,
        is_repeated=False,
        call=call,
        provider=found.provider,
        target=target,
        price=found.price,
        body_bytes=provider.body_bytes(call, target),
        binding_origin=found.origin,
        sealed=found.sealed,
        fallback_id=found.fallback_id,
    )
