"""Token usage: reading what providers report, and estimating what they do not."""

from collections.abc import Mapping

from contracts.money import Usage

BYTES_PER_TOKEN = 4
PROMPT_OVERHEAD_TOKENS = 64
"""What a provider's own framing may add to the request's bytes; tokens are never more than bytes otherwise."""


def input_bound(body_bytes: int) -> int:
    """The most input tokens that a body of this size can be counted as."""
    return body_bytes + PROMPT_OVERHEAD_TOKENS


def estimate(text_bytes: int) -> int:
    """Tokens of a text of this size, rounded up."""
    return -(-text_bytes // BYTES_PER_TOKEN)


def _count(source: object, *names: str) -> int:
    """The first of `names` that is a number, never below zero; anything else counts as absent."""
    if isinstance(source, Mapping):
        for name in names:
            value = source.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
                return int(value)
    return 0


def from_openai(reported: object) -> Usage | None:
    """OpenAI's shape: the cache is a part of the prompt, reasoning of the completion. None: it says nothing."""
    if not isinstance(reported, Mapping):
        return None
    prompt = _count(reported, "prompt_tokens", "input_tokens")
    output = _count(reported, "completion_tokens", "output_tokens")
    details = reported.get("prompt_tokens_details") or reported.get("input_tokens_details")
    cached = min(prompt, _count(details, "cached_tokens") or _count(reported, "prompt_cache_hit_tokens"))
    written = min(prompt - cached, _count(details, "cache_write_tokens", "cache_creation_tokens"))
    more = reported.get("completion_tokens_details") or reported.get("output_tokens_details")
    if prompt == 0 and output == 0:
        return None
    return Usage(
        uncached_input=prompt - cached - written,
        cache_read=cached,
        cache_write=written,
        output=output,
        reasoning=min(output, _count(more, "reasoning_tokens")),
    )


def from_anthropic(reported: object, known: Usage | None) -> Usage | None:
    """Anthropic's shape: the input excludes the cache, and a later report adds to what the first one `known` said."""
    if not isinstance(reported, Mapping):
        return known
    before = known or Usage()
    said = Usage(
        uncached_input=_count(reported, "input_tokens") or before.uncached_input,
        cache_read=_count(reported, "cache_read_input_tokens") or before.cache_read,
        cache_write=_count(reported, "cache_creation_input_tokens") or before.cache_write,
        output=_count(reported, "output_tokens") or before.output,
    )
    return said if said != Usage() else None


def from_gemini(reported: object) -> Usage | None:
    """Gemini's shape: the cache is a part of the prompt, thoughts come on top of the answer. None: it says nothing."""
    if not isinstance(reported, Mapping):
        return None
    prompt = _count(reported, "promptTokenCount") + _count(reported, "toolUsePromptTokenCount")
    cached = min(prompt, _count(reported, "cachedContentTokenCount"))
    thoughts = _count(reported, "thoughtsTokenCount")
    output = _count(reported, "candidatesTokenCount") + thoughts
    if prompt == 0 and output == 0:
        return None
    return Usage(uncached_input=prompt - cached, cache_read=cached, output=output, reasoning=thoughts)


def complete(reported: Usage | None, body_bytes: int, received_bytes: int) -> Usage:
    """What is metered: the report where it is plausible, else an estimate, flagged; never zero for what was sent."""
    guessed_input, guessed_output = max(1, estimate(body_bytes)), estimate(received_bytes)
    if reported is None:
        return Usage(uncached_input=guessed_input, output=guessed_output, estimated=True)
    has_input = reported.uncached_input + reported.cache_read + reported.cache_write > 0
    if has_input and (reported.output > 0 or guessed_output == 0):
        return reported
    return reported.model_copy(
        update={
            "uncached_input": reported.uncached_input if has_input else guessed_input,
            "output": max(reported.output, guessed_output),
            "estimated": True,
        }
    )


def cut_short(reported: Usage | None, body_bytes: int, received_bytes: int) -> Usage:
    """What a stream used that did not end: the input may be known exactly, the output is an estimate at least."""
    whole = complete(reported, body_bytes, received_bytes)
    return whole.model_copy(update={"output": max(whole.output, estimate(received_bytes)), "estimated": True})
