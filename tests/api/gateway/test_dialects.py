"""What a wire format has no words for is a table, and the table is kept small."""

from tests.api.gateway.dialects import DIALECTS


def test_the_suite_leaves_out_only_what_a_format_cannot_say() -> None:
    """A kind that is added here is a kind that a provider is not held to."""
    assert {dialect.name: set(dialect.cannot) for dialect in DIALECTS} == {
        "openai_compatible": set(),
        "anthropic": {"reasoning_tokens"},
        "gemini": {"done", "argument_text"},
    }
