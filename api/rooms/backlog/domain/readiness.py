"""What a story lacks before it may be ready (RN-010): one rule for people, agents and edits alike."""

from collections.abc import Collection
from enum import StrEnum

from contracts.backlog import StoryContent


class Lack(StrEnum):
    FUNCTIONAL_REQUIREMENT = "functional_requirement"
    DEFINITION_OF_READY = "definition_of_ready"
    DEFINITION_OF_DONE = "definition_of_done"
    RULE = "business_rule"
    MODULE = "known_module"


def missing(content: StoryContent, gone: Collection[str] = ()) -> tuple[str, ...]:
    """By name, in the order in which people read a story; empty: it is complete.

    `gone` are modules that it is built in and that the current map does not have; none need be assigned (RN-010).
    """
    needed = {
        Lack.FUNCTIONAL_REQUIREMENT: content.functional_requirements,
        Lack.DEFINITION_OF_READY: content.definition_of_ready,
        Lack.DEFINITION_OF_DONE: content.definition_of_done,
        Lack.RULE: content.rules,
        Lack.MODULE: not gone,
    }
    return tuple(lack.value for lack, there in needed.items() if not there)
