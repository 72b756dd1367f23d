"""Google's Gemini, on its route for server-sent events."""

from urllib.parse import quote

from api.rooms.gateway.domain.listing import KeyAnswer, ListedModel
from api.rooms.gateway.providers import asking, gemini_wire, json_requests
from api.rooms.gateway.providers.asking import Question
from api.rooms.gateway.providers.over_http import OverHttp
from api.rooms.gateway.providers.provider import Target
from contracts.routes.model import ModelCall

STREAMED, WHOLE = "streamGenerateContent?alt=sse", "generateContent"
PAGE = "/models?pageSize=1000"


class Gemini(OverHttp):
    """generateContent; the key travels in a header, never in the address."""

    name = "gemini"
    default_base_url = "https://generativelanguage.googleapis.com/v1beta"
    wire = gemini_wire

    def question(self, call: ModelCall, target: Target, *, is_streamed: bool) -> Question:
        url = f"{target.base_url}/models/{quote(target.model, safe='')}:{STREAMED if is_streamed else WHOLE}"
        return Question(url, _headers(target), asking.compact(gemini_wire.body(call)))

    async def list_models(self, target: Target) -> tuple[ListedModel, ...]:
        headers = _headers(target)
        return await json_requests.pages(target.base_url, PAGE, headers, gemini_wire.listed, "pageToken")

    async def check_key(self, target: Target) -> KeyAnswer:
        return await json_requests.check_key(target.base_url, "/models?pageSize=1", _headers(target))


def _headers(target: Target) -> dict[str, str]:
    return {"x-goog-api-key": target.secret} if target.secret else {}
