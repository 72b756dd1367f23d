"""F24: a key is sealed, bound to its place, never read back, and found in no row, event or frame."""

import json

import pytest
from cryptography.fernet import Fernet
from django.db import connection
from pytest_django import Settings

from api.rooms.agent_sessions import selectors as log
from api.rooms.gateway import selectors
from api.rooms.gateway import services as gateway
from api.rooms.gateway.models import Credential
from api.rooms.gateway.services import credentials
from api.rooms.gateway.services.catalogue import ModelSpec
from api.rooms.kernel.crypto import Unreadable
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal
from contracts.failures import ErrorCode
from tests.api.gateway.scene import CENT_A_THOUSAND, Scene, db, hear
from tests.fakes.model_server import ModelServer, Reply

CANARY = 'sk-canary/quokka4711+"quoted"<&>'


def _whole_database() -> str:
    """Every row of every table as text."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        texts = []
        for table in tables:
            cursor.execute(f'SELECT row_to_json(t)::text FROM "{table}" t')  # noqa: S608 - names from the catalogue
            texts += [row[0] for row in cursor.fetchall()]
    return "\n".join(texts)


@pytest.mark.parametrize("quoting", ["plain", "json", "url", "html"])
async def test_a_provider_that_quotes_the_key_it_refuses_gives_nothing_away(
    served: Scene, server: ModelServer, quoting: str
) -> None:
    import html
    import urllib.parse

    await db(gateway.store_credential)(served.workspace_id, "openai_compatible", server.url, CANARY)
    quoted = {
        "plain": CANARY,
        "json": json.dumps({"error": {"message": f"bad key {CANARY}"}}),
        "url": urllib.parse.quote(CANARY, safe=""),
        "html": html.escape(CANARY),
    }[quoting]
    server.play(Reply(status=401, body=f"Incorrect key: {quoted} !", content_type="text/plain"))
    heard = await hear(served, served.call())
    assert server.requests[0].headers["authorization"] == f"Bearer {CANARY}"
    assert heard.final.error is not None
    assert heard.final.error.code is ErrorCode.CREDENTIAL_REJECTED
    assert "[redacted]" in heard.final.error.diagnosis
    everything = heard.final.model_dump_json() + await db(_whole_database)()
    everything += "".join((await db(log.raw_events)(served.session_id, 0, 100)).texts)
    assert "quokka4711" not in everything


def test_a_sealed_key_opens_only_where_it_was_sealed(scene: Scene) -> None:
    gateway.store_credential(scene.workspace_id, "openai_compatible", "https://api.example.org/v1", "sk-one")
    row = Credential.objects.get()
    other = Credential.objects.create(
        id=new_id(),
        workspace_id=new_id(),
        provider=row.provider,
        base_url=row.base_url,
        sealed=row.sealed,
        has_secret=True,
    )
    assert credentials.open_secret(scene.workspace_id, row.provider, row.base_url) == "sk-one"
    assert isinstance(credentials.open_secret(other.workspace_id, row.provider, row.base_url), Unreadable)


def test_storing_again_replaces_and_nothing_reads_it_back(scene: Scene) -> None:
    address = "https://api.example.org/v1"
    first = gateway.store_credential(scene.workspace_id, "openai_compatible", address, "sk-one")
    assert gateway.store_credential(scene.workspace_id, "openai_compatible", address, "sk-two") == first
    assert credentials.open_secret(scene.workspace_id, "openai_compatible", address) == "sk-two"
    assert "sk-" not in str(selectors.credentials_of(scene.workspace_id))


def test_keys_rotate_without_a_pause(scene: Scene, settings: Settings) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.MUTIRAO_CREDENTIAL_KEYS = (old,)
    gateway.store_credential(scene.workspace_id, "openai_compatible", "", "sk-one")
    settings.MUTIRAO_CREDENTIAL_KEYS = (new, old)
    assert gateway.rotate_credentials() == (1, 0)
    settings.MUTIRAO_CREDENTIAL_KEYS = (new,)
    row = Credential.objects.get()
    assert credentials.open_secret(scene.workspace_id, row.provider, row.base_url) == "sk-one"


async def test_a_public_address_without_a_key_is_no_credential(scene: Scene) -> None:
    await db(scene.bind)(ModelSpec("openai_compatible", "fake", "https://api.example.org/v1"), CENT_A_THOUSAND)
    final = (await hear(scene, scene.call())).final
    assert final.error is not None
    assert final.error.code is ErrorCode.NO_CREDENTIAL
    assert final.error.facts["model"] == "fake"


async def test_a_private_address_is_not_called_once_the_operator_takes_it_back(
    served: Scene, server: ModelServer, settings: Settings
) -> None:
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = False
    final = (await hear(served, served.call())).final
    assert final.error is not None
    assert final.error.code is ErrorCode.MODEL_NOT_ALLOWED
    assert server.requests == []


@pytest.mark.parametrize("secret", ["with space", "line\nbreak", "açaí", "x" * 5000])
def test_a_key_that_cannot_travel_in_a_header_is_refused(scene: Scene, secret: str) -> None:
    with pytest.raises(Refusal):
        gateway.store_credential(scene.workspace_id, "openai_compatible", "", secret)
