"""Law 6: code and origin come from types and codes, and what is not known is our own gap."""

import pytest

from contracts.failures import ErrorCode, FailureOrigin
from contracts.limits import MAX_DIAGNOSIS_CHARS
from contracts.problem import STATUS_OF, Problem, ProblemCode
from contracts.routes.model import ModelError
from engine.domain import failures


@pytest.mark.parametrize(
    ("error", "code", "origin"),
    [
        (failures.ServiceUnreachable("refused"), ErrorCode.SERVICE_UNREACHABLE, FailureOrigin.INFRA),
        (ConnectionRefusedError(), ErrorCode.SERVICE_UNREACHABLE, FailureOrigin.INFRA),
        (TimeoutError(), ErrorCode.SERVICE_UNREACHABLE, FailureOrigin.INFRA),
        (failures.StreamIncomplete("no final"), ErrorCode.STREAM_INCOMPLETE, FailureOrigin.INFRA),
        (failures.StreamSilent("300 s"), ErrorCode.PROVIDER_TIMEOUT, FailureOrigin.INFRA),
        (failures.ServiceFailed(500, ""), ErrorCode.SERVICE_UNREACHABLE, FailureOrigin.INFRA),
        (failures.ServiceFailed(599, ""), ErrorCode.SERVICE_UNREACHABLE, FailureOrigin.INFRA),
        (failures.ServiceFailed(400, ""), ErrorCode.REQUEST_REJECTED, FailureOrigin.CODE),
        (failures.ServiceFailed(499, ""), ErrorCode.REQUEST_REJECTED, FailureOrigin.CODE),
        (failures.ServiceFailed(413, ""), ErrorCode.CONTEXT_TOO_LARGE, FailureOrigin.CODE),
        (failures.ServiceFailed(429, ""), ErrorCode.RATE_LIMITED, FailureOrigin.INFRA),
        (failures.ServiceFailed(302, ""), ErrorCode.UNKNOWN_FAILURE, FailureOrigin.CODE),
        (KeyError("budget exceeded"), ErrorCode.UNKNOWN_FAILURE, FailureOrigin.CODE),
    ],
)
def test_rn_077_an_exception_is_classified_by_its_type(
    error: Exception, code: ErrorCode, origin: FailureOrigin
) -> None:
    failure = failures.of_exception(error)
    assert (failure.code, failure.origin) == (code, origin)


@pytest.mark.parametrize("code", ProblemCode)
def test_every_refusal_of_the_api_has_a_code_and_keeps_its_words(code: ProblemCode) -> None:
    problem = Problem(title="t", status=STATUS_OF[code], code=code, detail="the very words", facts={"node": "project"})
    failure = failures.of_exception(failures.ApiProblem(problem))
    assert failure.code is failures.OF_PROBLEM[code]
    assert ("the very words" in failure.diagnosis, failure.facts) == (True, {"node": "project"})


@pytest.mark.parametrize("code", ErrorCode)
def test_what_the_gateway_classified_stays_classified(code: ErrorCode) -> None:
    failure = failures.of_model_error(ModelError(code=code, diagnosis="raw", facts={"a": "b"}))
    assert (failure.code, failure.diagnosis, failure.facts) == (code, "raw", {"a": "b"})


def test_a_diagnosis_is_bounded_and_may_be_stored() -> None:
    event = failures.event(failures.Failure(ErrorCode.AGENT_CRASHED, "x" * 9_000 + "\x00\ud800end"))
    assert (len(event.diagnosis), event.diagnosis[-3:]) == (MAX_DIAGNOSIS_CHARS, "end")
