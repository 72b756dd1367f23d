"""What a server does not understand of a request, learnt from its refusals and remembered while the process lives."""

from dataclasses import dataclass, replace

from api.rooms.gateway.providers.provider import Target

REFUSALS = (400, 422)


@dataclass(frozen=True)
class Dialect:
    """The optional parts of a request."""

    asks_for_usage: bool = True
    output_limit: str = "max_tokens"
    has_temperature: bool = True


_known: dict[tuple[str, str], Dialect] = {}


def dialect_of(target: Target) -> Dialect:
    return _known.get((target.base_url, target.model), Dialect())


def learn(target: Target, spoken: Dialect, status: int | None, refusal: str) -> Dialect | None:
    """Another way to ask after this refusal, or None when the refusal is about something else."""
    if status not in REFUSALS:
        return None
    other = spoken
    if "stream_options" in refusal:
        other = replace(spoken, asks_for_usage=False)
    elif "max_completion_tokens" in refusal:
        other = replace(spoken, output_limit="max_completion_tokens")
    elif "temperature" in refusal:
        other = replace(spoken, has_temperature=False)
    if other == spoken:
        return None
    _known[target.base_url, target.model] = other
    return other


def forget() -> None:
    """For tests."""
    _known.clear()
