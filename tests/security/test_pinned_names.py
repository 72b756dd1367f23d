"""Threat 12: a connection goes to a number, and still proves itself by the name."""

import datetime as dt
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pytest_django import Settings

from api.rooms.gateway.providers import PROVIDERS, ProviderFailure, Target, transport
from contracts.failures import ErrorCode
from tests.api.gateway.asking import KEY

NAME = "models.example.org"
LIST = b'{"data": [{"id": "there"}]}'


@dataclass
class Secured:
    """A TLS server on this machine: which names it was asked for, and with which Host and key."""

    port: int = 0
    asked_for: list[str | None] = field(default_factory=list)
    heard: list[tuple[str | None, str | None]] = field(default_factory=list)


def certified(folder: Path, name: str) -> Path:
    """A certificate that signs itself, and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    signed = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / f"{name}.pem"
    path.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + secret)
    return path


def serve(secured: Secured, certificate: Path) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            secured.heard.append((self.headers["host"], self.headers["authorization"]))
            self.send_response(200)
            self.send_header("content-length", str(len(LIST)))
            self.end_headers()
            self.wfile.write(LIST)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's own signature
            """Quiet."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.sni_callback = lambda _, name, __: secured.asked_for.append(name)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    secured.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server


@pytest.fixture
def certificate_name(request: pytest.FixtureRequest) -> str:
    return getattr(request, "param", NAME)


@pytest.fixture
def secured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings, certificate_name: str
) -> Iterator[Secured]:
    """Its certificate is trusted, and every name stands for this machine."""
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = True
    certificate, secured = certified(tmp_path, certificate_name), Secured()
    monkeypatch.setattr(transport, "_ssl_context", lambda: ssl.create_default_context(cafile=str(certificate)))
    with serve(secured, certificate) as server:
        here = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", secured.port))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: here)
        yield secured
        server.shutdown()


async def listed(secured: Secured) -> list[str]:
    target = Target(f"https://{NAME}:{secured.port}/v1", "", KEY)
    return [model.name for model in await PROVIDERS["openai_compatible"].list_models(target)]


async def test_the_name_is_what_tls_and_the_host_header_say(secured: Secured) -> None:
    assert await listed(secured) == ["there"]
    assert secured.asked_for == [NAME]
    assert secured.heard == [(f"{NAME}:{secured.port}", f"Bearer {KEY}")]


@pytest.mark.parametrize("certificate_name", ["127.0.0.1", "elsewhere.example.org"], indirect=True)
async def test_a_server_that_cannot_prove_the_name_gets_no_key(secured: Secured) -> None:
    with pytest.raises(ProviderFailure) as failure:
        await listed(secured)
    assert failure.value.code is ErrorCode.PROVIDER_UNREACHABLE
    assert secured.heard == []
