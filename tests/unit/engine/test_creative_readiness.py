"""The Creative's readiness turn: consolidation, brief, offer, and what stops it (RN_116, RN_142)."""

from uuid import uuid4

from contracts.events import (
    AgentError,
    BusinessRule,
    ProductBrief,
    ReadinessConfirmed,
)
from contracts.failures import ErrorCode, FailureOrigin
from contracts.vocabulary import FinishReason, TurnStatus
from engine.agents.creative import behaviour
from engine.domain.behaviour import (
    BriefWritten,
    EffectFailed,
    Step,
    WorkOffered,
)
from engine.domain.effects import CallModel, OfferWork, WriteBrief
from engine.domain.failures import Failure
from engine.domain.turn import TurnState
from tests.unit.engine.creating import errors, kinds, play
from tests.unit.engine.told import NOW, Told, answer


def consolidation() -> Step:
    """A readiness turn of a session with one rule."""
    log = Told()
    said = log.say("Olá")
    log.add(BusinessRule(title="t", description="d", origin=(said.seq,)))
    return behaviour.handle(behaviour.start(), log.began(log.add(ReadinessConfirmed(), "creative")), NOW)


def test_rn_116_readiness_without_a_rule_is_refused_as_policy_and_without_a_model_call() -> None:
    log = Told()
    step = behaviour.handle(behaviour.start(), log.began(log.add(ReadinessConfirmed(), "creative")), NOW)
    assert errors(step) == [(FailureOrigin.POLICY, ErrorCode.NO_BUSINESS_RULE, None, False)]
    assert step.effect is None


def test_rn_142_a_consolidation_leads_to_the_brief_then_to_the_offer_then_to_the_end() -> None:
    step = play(consolidation(), answer("Resumo."))
    assert (kinds(step), step.effect) == (["agent.response"], WriteBrief(summary="Resumo."))
    brief = Told().add(ProductBrief(number=1, summary="Resumo.", rules=(uuid4(),)))
    step = play(step, BriefWritten(brief))
    assert step.effect == OfferWork(to_agent="product_owner", artifact_event_id=brief.id)
    step = play(step, WorkOffered(uuid4()))
    assert step.end is not None
    assert step.end.status is TurnStatus.COMPLETED


def test_rn_142_no_form_is_offered_in_a_consolidation() -> None:
    assert consolidation().effect == CallModel(iteration=1, tools=("emit_artifact",))


def test_rn_142_a_failed_consolidation_writes_no_brief() -> None:
    step = play(consolidation(), answer("", error=ErrorCode.BUDGET_EXCEEDED, finish=FinishReason.ERROR))
    assert (step.effect, errors(step)[0][1]) == (None, ErrorCode.BUDGET_EXCEEDED)


def test_rn_142_a_failed_brief_offers_nothing() -> None:
    step = play(consolidation(), answer("Resumo."))
    effect = step.effect
    assert isinstance(effect, WriteBrief)
    step = play(step, EffectFailed(effect, Failure(ErrorCode.SERVICE_UNREACHABLE)))
    assert (step.effect, errors(step)[0][:2]) == (None, (FailureOrigin.INFRA, ErrorCode.SERVICE_UNREACHABLE))


def test_a_refused_handoff_says_what_is_saved_and_the_agent_lives() -> None:
    offer = OfferWork(to_agent="product_owner", artifact_event_id=uuid4())
    step = play(consolidation(), EffectFailed(offer, Failure(ErrorCode.HANDOFF_REFUSED, "raw")))
    error = step.events[0]
    assert isinstance(error, AgentError)
    assert (error.code, error.facts["saved"]) == (ErrorCode.HANDOFF_REFUSED, "product_brief")
    log = Told()
    again = behaviour.handle(
        step.state if isinstance(step.state, TurnState) else TurnState(), log.began(log.say("oi")), NOW
    )
    assert isinstance(again.effect, CallModel)
