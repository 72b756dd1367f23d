"""From a code to its number: numbers begin at 1, so that 0 is found nowhere."""

import re

STORY, EPIC, TASK, RULE, ITERATION = "S-", "E", "T-", "R-", "I-"


def number_of(code: str, prefix: str) -> int:
    """Of a code with this prefix, written as it is given out and in no other way; 0 for anything else."""
    found = re.fullmatch(rf"{prefix}([1-9][0-9]{{0,8}})", code)
    return int(found[1]) if found else 0
