"""What a validation found, in words that a model can act on."""

from pydantic import ValidationError

MAX_PROBLEMS = 5


def what_is_wrong(error: ValidationError) -> str:
    """Path and reason of the first few problems, without the values: those may be long."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    told = [f"{_path(each['loc'])}: {each['msg']}" for each in found[:MAX_PROBLEMS]]
    more = len(found) - MAX_PROBLEMS
    return "; ".join(told) + (f"; and {more} more" if more > 0 else "")


def _path(location: tuple[int | str, ...]) -> str:
    parts = [str(part) for part in location if not str(part).startswith("artifact.")]
    return ".".join(parts) or "the whole"
