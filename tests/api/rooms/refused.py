"""What was refused: whole, or by its code."""

from collections.abc import Callable

import pytest

from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode


def refusal_of(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        act()
    return refused.value


def refusal_code(act: Callable[[], object]) -> ProblemCode:
    return refusal_of(act).code


def code_of(refused: pytest.ExceptionInfo[Refusal]) -> ProblemCode:
    return refused.value.code
