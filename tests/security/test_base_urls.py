"""Threat 12: an address that a workspace names reaches no machine of the operator's, whatever form it has."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from api.rooms.gateway.domain import addresses, base_urls
from api.rooms.gateway.domain.listing import KeyVerdict
from api.rooms.gateway.providers import PROVIDERS, Target
from contracts.failures import ErrorCode
from tests.api.gateway.asking import KEY, ask_at
from tests.fakes.model_server import ModelServer, Reply

HIDDEN = (
    "127.0.0.1", "127.1", "127.0.1", "0x7f.0.0.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1",
    "localhost", "LOCALHOST", "localhost.", "localhost.localdomain", "a.localhost", "printer.local", "vault.internal",
    "router.home.arpa", "metadata", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::]",
    "[2001:0:7f00:1::80ff:fffe]", "[fe80::1]", "[fc00::1]", "[fd00:ec2::254]", "0", "10.0.0.1",
    "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.100.100.200", "100.64.0.1", "192.0.2.1", "198.18.0.1",
    "224.0.0.1", "255.255.255.255", "①②⑦.⓪.⓪.①", "127。0。0。1",
    "[fec0::1]", "[64:ff9b:1:a9fe:a9:fe00:808:808]", "[::ffff:0:7f00:1]", "192.0.0.1", "[3fff::1]", "[5f00::1]",
)  # fmt: skip
"""Names and numbers that stand for something here, in the encodings that resolvers forgive."""
ODD = (
    "ftp://example.org", "file:///etc/passwd", "gopher://example.org", "https://", "https:///v1", "//example.org",
    "https://user@example.org", "https://user:pass@example.org", "https://example.org@127.0.0.1", "https://a b.org",
    "https://example.org\\@127.0.0.1", "https://example.org?x=1", "https://example.org#x", "https://example.org:99999",
    "https://[::1", "http://example.org/v1", "https://" + "a" * 600,
)  # fmt: skip
PROVIDER_NAMES = [name for name, provider in PROVIDERS.items() if not provider.is_rehearsal]


@pytest.mark.parametrize("host", HIDDEN)
def test_a_hidden_address_is_refused_when_it_is_named(host: str) -> None:
    assert isinstance(base_urls.check(f"https://{host}/v1", allow_private=False), base_urls.Refused)


@pytest.mark.parametrize("url", ODD)
def test_an_odd_url_is_refused_whatever_the_operator_allows(url: str) -> None:
    assert isinstance(base_urls.check(url, allow_private=False), base_urls.Refused)


@pytest.mark.parametrize("number", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_a_public_number_may_be_connected_to(number: str) -> None:
    assert addresses.may_connect(number, allow_private=False)


@pytest.mark.parametrize("number", [
    "169.254.169.254", "::ffff:169.254.169.254", "fe80::1%eth0", "fd00:ec2::254", "::ffff:0:a9fe:a9fe",
    "64:ff9b:1:a9fe:a9:fe00:808:808",
])  # fmt: skip
def test_metadata_is_refused_also_where_private_addresses_are_allowed(number: str) -> None:
    assert not addresses.may_connect(number, allow_private=True)


class Rebinding:
    """A resolver that says something harmless when it is asked first, and this machine afterwards."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = list(answers), 0

    def __call__(self, _: str, port: int, *__: Any, **___: Any) -> list[tuple[Any, ...]]:
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        family = socket.AF_INET6 if ":" in answer else socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (answer, port))]


@pytest.fixture
def trap() -> Iterator[ModelServer]:
    """What must not be reached."""
    with ModelServer(otherwise=lambda _: Reply(text="secret")) as server:
        yield server


def named(server: ModelServer) -> str:
    return f"https://models.example.org:{server.port}/v1"


@pytest.mark.parametrize("name", PROVIDER_NAMES)
@pytest.mark.parametrize("number", ["127.0.0.1", "::ffff:127.0.0.1", "::1", "169.254.169.254", "10.0.0.7", "fe80::1"])
async def test_a_public_name_that_resolves_to_a_hidden_address_is_not_connected_to(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, trap: ModelServer, name: str, number: str
) -> None:
    """The key never leaves, and it is said as policy."""
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = False
    monkeypatch.setattr(socket, "getaddrinfo", Rebinding(number))
    answer = await ask_at(named(trap), provider=PROVIDERS[name])
    assert answer.code is ErrorCode.MODEL_NOT_ALLOWED
    assert answer.failure is not None
    assert not answer.failure.was_sent
    assert trap.requests == []


async def test_the_address_that_was_checked_is_the_one_that_is_connected_to(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, trap: ModelServer
) -> None:
    """A name that is rebound between check and connection is never resolved a second time."""
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = False
    resolver = Rebinding("192.88.99.1", "127.0.0.1")
    monkeypatch.setattr("api.rooms.gateway.providers.transport.CONNECT_S", 0.3)
    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    monkeypatch.setattr(addresses, "NEVER", ())
    answer = await ask_at(named(trap))
    assert answer.failure is not None
    assert (resolver.asked, trap.requests) == (1, [])


async def test_one_hidden_address_among_public_ones_forbids_the_name(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, trap: ModelServer
) -> None:
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = False
    both = [*Rebinding("8.8.8.8")("", trap.port), *Rebinding("127.0.0.1")("", trap.port)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: both)
    assert (await ask_at(named(trap))).code is ErrorCode.MODEL_NOT_ALLOWED
    assert trap.requests == []


@pytest.mark.parametrize("name", PROVIDER_NAMES)
async def test_the_same_wall_stands_before_lists_and_key_tests(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, trap: ModelServer, name: str
) -> None:
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = False
    monkeypatch.setattr(socket, "getaddrinfo", Rebinding("127.0.0.1"))
    answer = await PROVIDERS[name].check_key(Target(named(trap), "", KEY))
    assert (answer.verdict, answer.code) == (KeyVerdict.REFUSED, ErrorCode.MODEL_NOT_ALLOWED)
    assert trap.requests == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_to_a_hidden_address_is_not_followed(
    settings: Settings, trap: ModelServer, status: int
) -> None:
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = True
    with ModelServer() as public:
        public.play(Reply(status=status, body="", headers={"location": trap.url}))
        answer = await ask_at(public.url)
        assert answer.failure is not None
        assert (len(public.requests), trap.requests) == (1, [])


async def test_a_private_address_works_where_the_operator_allows_it(settings: Settings, trap: ModelServer) -> None:
    """The control of all the others: the trap does answer."""
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = True
    assert (await ask_at(trap.url)).text == "secret"
