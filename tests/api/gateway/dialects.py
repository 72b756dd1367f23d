"""The wire formats side by side: what the suite needs to know of each, and what a format cannot say at all."""

from dataclasses import dataclass, field
from typing import Any

from api.rooms.gateway.providers import PROVIDERS, Provider
from contracts.failures import ErrorCode
from contracts.routes.model import ModelCall
from tests.api.gateway.asking import KEY, Answer, ask_at
from tests.fakes.model_server import ModelServer, Reply

Error = dict[str, Any]


@dataclass(frozen=True)
class Dialect:
    """`cannot` names the kinds of stream that this format has no words for, each with the reason."""

    name: str
    suffix: str
    key_header: str
    key_value: str
    limit: tuple[str, ...]
    system: tuple[str, ...]
    overloaded: Error
    rate_limited: Error
    strange: Error
    statuses: tuple[tuple[int, Error, ErrorCode], ...]
    listing: Any
    opening: int
    """How many events a stream has before its first word."""
    cannot: dict[str, str] = field(default_factory=dict)

    @property
    def provider(self) -> Provider:
        return PROVIDERS[self.name]

    def url(self, server: ModelServer) -> str:
        """The base URL as a person would give it."""
        return server.url.removesuffix("/v1") + self.suffix

    async def ask(
        self,
        server: ModelServer,
        *replies: Reply,
        is_streamed: bool = True,
        secret: str = KEY,
        call: ModelCall | None = None,
    ) -> Answer:
        """One call against these replies."""
        server.play(*replies)
        url = self.url(server)
        return await ask_at(url, is_streamed=is_streamed, secret=secret, provider=self.provider, call=call)


def _openai_error(**error: Any) -> Error:
    return {"error": {"message": "anything at all", **error}}


def _anthropic_error(kind: str) -> Error:
    return {"type": "error", "error": {"type": kind, "message": "anything at all"}}


def _gemini_error(code: int, status: str, *details: Error) -> Error:
    return {"error": {"code": code, "status": status, "message": "anything at all", "details": list(details)}}


OPENAI = Dialect(
    name="openai_compatible",
    suffix="/v1",
    key_header="authorization",
    key_value=f"Bearer {KEY}",
    limit=("max_tokens",),
    system=("messages", "0", "content"),
    overloaded=_openai_error(code=502),
    rate_limited=_openai_error(type="rate_limit_error"),
    strange=_openai_error(type="sunspots"),
    statuses=(
        (400, _openai_error(), ErrorCode.REQUEST_REJECTED),
        (400, _openai_error(code="context_length_exceeded"), ErrorCode.CONTEXT_TOO_LARGE),
        (400, _openai_error(code="content_filter"), ErrorCode.CONTENT_FILTERED),
        (401, _openai_error(code="invalid_api_key"), ErrorCode.CREDENTIAL_REJECTED),
        (402, _openai_error(), ErrorCode.PAYMENT_REQUIRED),
        (403, _openai_error(code="model_not_allowed"), ErrorCode.MODEL_NOT_ALLOWED),
        (404, _openai_error(code="model_not_found"), ErrorCode.MODEL_NOT_FOUND),
        (410, _openai_error(), ErrorCode.MODEL_NOT_FOUND),
        (413, _openai_error(), ErrorCode.CONTEXT_TOO_LARGE),
        (422, _openai_error(), ErrorCode.REQUEST_REJECTED),
        (429, _openai_error(code="rate_limit_exceeded"), ErrorCode.RATE_LIMITED),
        (429, _openai_error(code="insufficient_quota"), ErrorCode.PAYMENT_REQUIRED),
        (500, _openai_error(), ErrorCode.PROVIDER_UNAVAILABLE),
        (503, _openai_error(), ErrorCode.PROVIDER_UNAVAILABLE),
        (418, _openai_error(type="teapot"), ErrorCode.UNKNOWN_FAILURE),
    ),
    listing={"object": "list", "data": [{"id": "small"}, {"id": "large", "context_length": 64_000}]},
    opening=1,
)

ANTHROPIC = Dialect(
    name="anthropic",
    suffix="",
    key_header="x-api-key",
    key_value=KEY,
    limit=("max_tokens",),
    system=("system",),
    overloaded=_anthropic_error("overloaded_error"),
    rate_limited=_anthropic_error("rate_limit_error"),
    strange=_anthropic_error("sunspots"),
    statuses=(
        (400, _anthropic_error("invalid_request_error"), ErrorCode.REQUEST_REJECTED),
        (401, _anthropic_error("authentication_error"), ErrorCode.CREDENTIAL_REJECTED),
        (402, _anthropic_error("billing_error"), ErrorCode.PAYMENT_REQUIRED),
        (403, _anthropic_error("permission_error"), ErrorCode.CREDENTIAL_REJECTED),
        (404, _anthropic_error("not_found_error"), ErrorCode.MODEL_NOT_FOUND),
        (410, _anthropic_error("not_found_error"), ErrorCode.MODEL_NOT_FOUND),
        (413, _anthropic_error("request_too_large"), ErrorCode.CONTEXT_TOO_LARGE),
        (429, _anthropic_error("rate_limit_error"), ErrorCode.RATE_LIMITED),
        (500, _anthropic_error("api_error"), ErrorCode.PROVIDER_UNAVAILABLE),
        (504, _anthropic_error("timeout_error"), ErrorCode.PROVIDER_UNAVAILABLE),
        (529, _anthropic_error("overloaded_error"), ErrorCode.PROVIDER_UNAVAILABLE),
        (418, _anthropic_error("teapot"), ErrorCode.UNKNOWN_FAILURE),
    ),
    listing={
        "data": [
            {"type": "model", "id": "small", "display_name": "Small"},
            {"type": "model", "id": "large", "display_name": "Large", "max_input_tokens": 64_000},
        ],
        "has_more": False,
    },
    opening=2,
    cannot={"reasoning_tokens": "thoughts are counted in the output, without a number of their own"},
)

GEMINI = Dialect(
    name="gemini",
    suffix="/v1beta",
    key_header="x-goog-api-key",
    key_value=KEY,
    limit=("generationConfig", "maxOutputTokens"),
    system=("systemInstruction", "parts", "0", "text"),
    overloaded=_gemini_error(503, "UNAVAILABLE"),
    rate_limited=_gemini_error(429, "RESOURCE_EXHAUSTED"),
    strange={"error": {"status": "SUNSPOTS", "message": "anything at all"}},
    statuses=(
        (400, _gemini_error(400, "INVALID_ARGUMENT"), ErrorCode.REQUEST_REJECTED),
        (400, _gemini_error(400, "INVALID_ARGUMENT", {"reason": "API_KEY_INVALID"}), ErrorCode.CREDENTIAL_REJECTED),
        (401, _gemini_error(401, "UNAUTHENTICATED"), ErrorCode.CREDENTIAL_REJECTED),
        (403, _gemini_error(403, "PERMISSION_DENIED"), ErrorCode.CREDENTIAL_REJECTED),
        (404, _gemini_error(404, "NOT_FOUND"), ErrorCode.MODEL_NOT_FOUND),
        (410, _gemini_error(410, "NOT_FOUND"), ErrorCode.MODEL_NOT_FOUND),
        (413, {}, ErrorCode.CONTEXT_TOO_LARGE),
        (429, _gemini_error(429, "RESOURCE_EXHAUSTED"), ErrorCode.RATE_LIMITED),
        (500, _gemini_error(500, "INTERNAL"), ErrorCode.PROVIDER_UNAVAILABLE),
        (503, _gemini_error(503, "UNAVAILABLE"), ErrorCode.PROVIDER_UNAVAILABLE),
        (418, {"error": {"status": "TEAPOT"}}, ErrorCode.UNKNOWN_FAILURE),
    ),
    listing={
        "models": [
            {"name": "models/small", "supportedGenerationMethods": ["generateContent"]},
            {
                "name": "models/large",
                "inputTokenLimit": 64_000,
                "supportedGenerationMethods": ["generateContent", "countTokens"],
            },
            {"name": "models/embedder", "supportedGenerationMethods": ["embedContent"]},
        ]
    },
    opening=0,
    cannot={
        "done": "no word says that a stream is over: the reason for its end must come",
        "argument_text": "arguments travel as an object, so they cannot be cut or malformed",
    },
)

DIALECTS = (OPENAI, ANTHROPIC, GEMINI)
