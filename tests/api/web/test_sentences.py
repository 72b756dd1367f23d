"""Every code of both enums has a sentence, in both languages, that is no code."""

import pytest
from django.utils import translation
from django.utils.functional import Promise

from api.rooms.turns.domain.readiness import ReadinessBlock
from api.surfaces.web.sentences import BLOCKS, FAILURES, ORIGINS, PROBLEMS
from contracts.failures import ErrorCode, FailureOrigin
from contracts.problem import ProblemCode


def test_every_problem_has_a_sentence() -> None:
    assert set(PROBLEMS) == set(ProblemCode)


def test_every_failure_has_a_sentence() -> None:
    assert set(FAILURES) == set(ErrorCode)


def test_every_origin_has_a_name() -> None:
    assert set(ORIGINS) == set(FailureOrigin)


def test_every_block_of_readiness_has_a_reason() -> None:
    assert set(BLOCKS) == {block.value for block in ReadinessBlock}


SENTENCES = [*PROBLEMS.values(), *FAILURES.values(), *BLOCKS.values()]


@pytest.mark.parametrize("sentence", SENTENCES, ids=str)
def test_each_is_a_sentence_in_both_languages(sentence: Promise) -> None:
    with translation.override("en"):
        english = str(sentence)
    with translation.override("pt-br"):
        portuguese = str(sentence)
    assert english.endswith(".")
    assert portuguese.endswith(".")
    assert english != portuguese
