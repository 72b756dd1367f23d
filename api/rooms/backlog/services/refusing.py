"""Refusals of the backlog: what is wrong, where, and what may be said instead."""

from collections.abc import Iterable

from api.rooms.backlog.domain import titles
from api.rooms.kernel.refusals import Refusal
from contracts.base import has_forbidden_character
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS, MAX_REASON_CHARS, MAX_TITLE_CHARS
from contracts.problem import ProblemCode

MAX_NAMED = 40


def invalid(detail: str, **facts: str) -> Refusal:
    return Refusal(ProblemCode.INVALID_BACKLOG, detail, facts)


def unknown(what: str, codes: Iterable[str], known: Iterable[str]) -> Refusal:
    """Names what there is: who guesses once must not guess twice."""
    there = list(known)
    listed = ", ".join(there[:MAX_NAMED]) or "none yet"
    more = f" and {len(there) - MAX_NAMED} more" if len(there) > MAX_NAMED else ""
    wanted = ", ".join(codes)
    return invalid(f"There is no {what} {wanted} in this project. There are: {listed}{more}.", unknown=wanted)


def refuse_stale(code: str, current: int, read: int) -> None:
    """The other version is what stands there now: whoever is refused can read it and decide."""
    if current == read:
        return
    raise Refusal(
        ProblemCode.STALE_VERSION,
        f"{code} is at version {current}, and you read version {read}. Read it again, then change it.",
        {"code": code, "current": str(current), "read": str(read)},
    )


def text(given: str) -> str:
    """A text that says something. Raises Refusal."""
    cleaned = given.strip()
    if not cleaned or len(cleaned) > MAX_ARTIFACT_TEXT_CHARS or has_forbidden_character(cleaned):
        raise invalid(f"A text of 1 to {MAX_ARTIFACT_TEXT_CHARS} characters is needed.", field="description")
    return cleaned


def reason(given: str) -> str:
    """A reason that somebody reads. Raises Refusal."""
    cleaned = given.strip()
    if not cleaned or len(cleaned) > MAX_REASON_CHARS or has_forbidden_character(cleaned):
        raise invalid(f"A reason of 1 to {MAX_REASON_CHARS} characters is needed.", field="reason")
    return cleaned


def title(text: str) -> str:
    """As it may be stored. Raises Refusal."""
    cleaned = titles.cleaned(text)
    if cleaned is None or len(cleaned) > MAX_TITLE_CHARS:
        raise invalid(titles.NO_TITLE, field="title")
    return cleaned
