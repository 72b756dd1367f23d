"""OpenAI's chat completions, and every server that speaks them."""

import httpx2

from api.rooms.gateway.domain.listing import KeyAnswer, ListedModel
from api.rooms.gateway.providers import asking, json_requests, openai_listing, openai_wire
from api.rooms.gateway.providers.asking import Question
from api.rooms.gateway.providers.lines import Line
from api.rooms.gateway.providers.openai_dialects import Dialect, dialect_of, learn
from api.rooms.gateway.providers.over_http import OverHttp
from api.rooms.gateway.providers.provider import ProviderFailure, Target
from contracts.routes.model import ModelCall

PATH = "/chat/completions"
OPENROUTER = "openrouter.ai"


class OpenAICompatible(OverHttp):
    """Chat completions over HTTP."""

    name = "openai_compatible"
    default_base_url = "https://api.openai.com/v1"
    wire = openai_wire

    def question(self, call: ModelCall, target: Target, *, is_streamed: bool) -> Question:
        return _question(call, target, Dialect(), is_streamed=is_streamed)

    async def asked(self, line: Line, call: ModelCall, target: Target, *, is_streamed: bool) -> httpx2.Response:
        """Asks again, once for each, without what this server does not know."""
        dialect = dialect_of(target)
        while True:
            try:
                return await asking.asked(line, _question(call, target, dialect, is_streamed=is_streamed))
            except ProviderFailure as failure:
                other = learn(target, dialect, failure.status, failure.diagnosis)
                if other is None:
                    raise
                dialect = other

    async def list_models(self, target: Target) -> tuple[ListedModel, ...]:
        said = await json_requests.ask(target.base_url, "/models", _headers(target))
        return openai_listing.models(said.document())

    async def check_key(self, target: Target) -> KeyAnswer:
        # OpenRouter lists its models to everybody, and answers for a key elsewhere.
        path = "/key" if OPENROUTER in target.base_url else "/models"
        return await json_requests.check_key(target.base_url, path, _headers(target))


def _question(call: ModelCall, target: Target, dialect: Dialect, *, is_streamed: bool) -> Question:
    body = openai_wire.body(call, target.model, dialect, is_streamed=is_streamed)
    return Question(target.base_url + PATH, _headers(target), asking.compact(body))


def _headers(target: Target) -> dict[str, str]:
    return {"authorization": f"Bearer {target.secret}"} if target.secret else {}
