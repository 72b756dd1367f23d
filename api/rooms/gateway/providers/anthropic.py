"""Anthropic's messages."""

from api.rooms.gateway.domain.listing import KeyAnswer, ListedModel
from api.rooms.gateway.providers import anthropic_wire, asking, json_requests
from api.rooms.gateway.providers.asking import Question
from api.rooms.gateway.providers.over_http import OverHttp
from api.rooms.gateway.providers.provider import Target
from contracts.routes.model import ModelCall

PATH = "/v1/messages"
VERSION = "2023-06-01"
PAGE = "/v1/models?limit=1000"


class Anthropic(OverHttp):
    """Messages over HTTP; the address is without `/v1`."""

    name = "anthropic"
    default_base_url = "https://api.anthropic.com"
    wire = anthropic_wire

    def question(self, call: ModelCall, target: Target, *, is_streamed: bool) -> Question:
        body = anthropic_wire.body(call, target.model, is_streamed=is_streamed)
        return Question(target.base_url + PATH, _headers(target), asking.compact(body))

    async def list_models(self, target: Target) -> tuple[ListedModel, ...]:
        headers = _headers(target)
        return await json_requests.pages(target.base_url, PAGE, headers, anthropic_wire.listed, "after_id")

    async def check_key(self, target: Target) -> KeyAnswer:
        return await json_requests.check_key(target.base_url, "/v1/models?limit=1", _headers(target))


def _headers(target: Target) -> dict[str, str]:
    key = {"x-api-key": target.secret} if target.secret else {}
    return {"anthropic-version": VERSION, **key}
