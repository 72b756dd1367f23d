"""Small questions to a provider that cost nothing: which models it has, whether a key is good."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx2

from api.rooms.gateway.domain import base_urls
from api.rooms.gateway.domain.listing import KeyAnswer, KeyVerdict, ListedModel
from api.rooms.gateway.providers import asking, lines, transport
from api.rooms.gateway.providers.provider import ProviderFailure
from contracts.failures import ErrorCode

ASK_S = 20.0
MAX_LIST_BYTES = 16 * 1024 * 1024
MAX_PAGES = 20
NO_SUCH_ROUTE = frozenset({404, 405, 501})


ReadPage = Callable[[Any], tuple[list[ListedModel], str | None]]
"""A page's models, and where the next page begins."""


@dataclass(frozen=True)
class Said:
    """A provider's whole answer."""

    status: int
    headers: httpx2.Headers
    text: str

    @property
    def is_success(self) -> bool:
        return httpx2.codes.is_success(self.status)

    def document(self) -> Any:
        """Its JSON. Raises ProviderFailure when it is none, or an error."""
        if not self.is_success:
            raise asking.refusal(self.status, self.headers, self.text)
        try:
            return json.loads(self.text)
        except ValueError:
            raise ProviderFailure(ErrorCode.NOT_A_MODEL_ANSWER, self.text) from None


async def ask(base_url: str, path: str, headers: Mapping[str, str]) -> Said:
    """GET. Raises ProviderFailure when no answer comes."""
    async with lines.line(base_url, is_private=base_urls.is_private(base_url), silence_s=ASK_S) as line:
        try:
            response = await line.send("GET", base_url + path, headers)
            return Said(response.status_code, response.headers, await _text(response))
        except httpx2.HTTPError as error:
            raise transport.failure_of(error, has_headers=False) from error


async def pages(
    base_url: str, path: str, headers: Mapping[str, str], read: ReadPage, parameter: str
) -> tuple[ListedModel, ...]:
    """A list that comes in pages; `parameter` carries the mark at which the next one begins."""
    found: list[ListedModel] = []
    asked = path
    for _ in range(MAX_PAGES):
        models, following = read((await ask(base_url, asked, headers)).document())
        found += models
        if following is None:
            break
        asked = f"{path}&{parameter}={quote(following, safe='')}"
    return tuple(found)


async def _text(response: httpx2.Response) -> str:
    body, is_whole = await transport.read(response, MAX_LIST_BYTES)
    if not is_whole:
        raise ProviderFailure(ErrorCode.NOT_A_MODEL_ANSWER, f"The answer is larger than {MAX_LIST_BYTES} bytes.")
    return body.decode("utf-8-sig", "replace")


async def check_key(base_url: str, path: str, headers: Mapping[str, str]) -> KeyAnswer:
    """Ask with the key, and where that works without it: an address that answers everybody tells nothing of a key."""
    try:
        with_key = await ask(base_url, path, headers)
        if with_key.status in NO_SUCH_ROUTE:
            return KeyAnswer(KeyVerdict.UNSUPPORTED)
        with_key.document()
        without = await ask(base_url, path, {})
    except ProviderFailure as failure:
        return KeyAnswer(KeyVerdict.REFUSED, failure.code, failure.diagnosis)
    return KeyAnswer(KeyVerdict.UNSUPPORTED if without.is_success else KeyVerdict.ACCEPTED)
