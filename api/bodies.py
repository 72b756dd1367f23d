"""Request bodies bounded while they arrive: what is too large is refused before it reaches memory or disk."""

import asyncio
import logging
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest

from contracts import story
from contracts.limits import MAX_INTERNAL_BODY_BYTES
from contracts.problem import PROBLEM_MEDIA_TYPE, STATUS_OF, Problem, ProblemCode

log = logging.getLogger(__name__)
MAX_BODY_BYTES = MAX_INTERNAL_BODY_BYTES
"""No route takes more; most take far less and say so themselves."""
MEDIA_TYPE = b"content-type"
LINGER_S = 2.0
"""A client that is still sending gets this long to read why it should not: a reset would destroy the answer."""


def too_large(request_id: str) -> bytes:
    """A whole HTTP response, as no application has been asked."""
    code = ProblemCode.TOO_LARGE
    detail = f"A body has at most {MAX_BODY_BYTES} bytes. Send less at a time."
    problem = Problem(title="Too large", status=STATUS_OF[code], code=code, detail=detail, request_id=request_id)
    body = problem.model_dump_json().encode()
    head = (
        f"HTTP/1.1 {STATUS_OF[code]} Content Too Large\r\nContent-Type: {PROBLEM_MEDIA_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\n{story.REQUEST_HEADER}: {request_id}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


class BoundedRequest(WebRequest):
    """Counts by the length that was announced, and by what comes: a chunked body announces none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._received_bytes = 0
        self._media_types: list[bytes] = []
        self._lingering: asyncio.TimerHandle | None = None
        super().__init__(*args, **kwargs)

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        is_too_large = length is not None and length > MAX_BODY_BYTES
        super().gotLength(0 if is_too_large else length)
        if is_too_large:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        self._received_bytes += len(data)
        if self._lingering is not None:
            return
        if self._received_bytes > MAX_BODY_BYTES:
            self._refuse()
        else:
            super().handleContentChunk(data)

    def _refuse(self) -> None:
        self.requestHeaders.removeHeader(b"expect")
        self.content.seek(0)
        self.content.truncate()
        transport = self.channel.transport
        request_id = story.request_id((self.requestHeaders.getRawHeaders(story.REQUEST_HEADER) or [""])[0])
        with story.told(request_id=request_id):
            log.info("a body was refused while it came: more than %d bytes", MAX_BODY_BYTES)
        transport.write(too_large(request_id))
        self._lingering = asyncio.get_running_loop().call_later(LINGER_S, transport.abortConnection)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802 - Twisted's name
        """The body has ended. Twisted would read a posted form in it, for nobody: the application does that itself."""
        if self._lingering is None:
            self._media_types = self.requestHeaders.getRawHeaders(MEDIA_TYPE) or []
            self.requestHeaders.removeHeader(MEDIA_TYPE)
            super().requestReceived(command, path, version)
        else:
            self.channel.transport.loseConnection()

    def process(self) -> None:
        """daphne takes the headers here."""
        if self._media_types:
            self.requestHeaders.setRawHeaders(MEDIA_TYPE, self._media_types)
        super().process()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802 - Twisted's name
        if self._lingering is not None:
            self._lingering.cancel()
        super().connectionLost(reason)


class BoundedFactory(HTTPFactory):
    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802 - Twisted's name
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = BoundedRequest
        return protocol
