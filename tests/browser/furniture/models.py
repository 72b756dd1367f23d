"""A catalogue of many kinds of models, chosen at every level, keys, and lists that were read well and badly."""

from datetime import timedelta
from uuid import UUID

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.gateway.domain.uses import ModelUse
from api.rooms.gateway.models import CatalogueSync, Credential, Model
from api.rooms.gateway.services.catalogue import ModelSpec
from api.rooms.gateway.services.curation import Fallback, Price, Switch, Uses
from api.rooms.kernel.clock import now
from contracts.vocabulary import Language

ANTHROPIC, COMPATIBLE = "anthropic", "openai_compatible"
OPENAI, GROQ = "https://api.openai.com/v1", "https://api.groq.com/openai/v1"
LOCAL = "http://127.0.0.1:11434/v1"
LONG = "vendor/coder-instruct-extended-context-preview-2026-11-70b-awq-int4-g128"
PRICES = (Rates(150_000, 75_000, 187_500, 600_000), Rates(200_000, 100_000, 250_000, 1_800_000))
DETAIL = '{"error":{"message":"upstream connect error or disconnect/reset before headers","type":"server_error"}}'


def stock(workspace: UUID, person: UUID, homes: dict[Language, UUID]) -> dict[str, str]:
    """The projects' sessions talk to the rehearsal; the choice for one agent cannot be used any more."""
    known = gateway.add_model(workspace, ModelSpec(COMPATIBLE, "gpt-4o-mini", OPENAI))
    other = gateway.add_model(workspace, ModelSpec(ANTHROPIC, "claude-3-5-haiku-latest"))
    gone = gateway.add_model(workspace, ModelSpec(COMPATIBLE, "gpt-3.5-turbo-0301", OPENAI))
    gateway.add_model(workspace, ModelSpec(COMPATIBLE, LONG, GROQ))
    toolless = gateway.add_model(workspace, ModelSpec(COMPATIBLE, "llama-guard-3-8b", GROQ, has_tools=False))
    for rates in PRICES:
        gateway.change_model(workspace, known, (Price(rates),), person)
    marks = Uses((ModelUse.CODE, ModelUse.CONVERSATION))
    gateway.change_model(workspace, known, (marks, Fallback(other)), person)
    gateway.change_model(workspace, toolless, (Switch(is_active=False),), person)
    gateway.bind(workspace, Subject(Level.WORKSPACE, workspace), known)
    for home in homes.values():
        gateway.bind(workspace, Subject(Level.PROJECT, home), ModelSpec("rehearsal", "rehearsal"))
        gateway.bind(workspace, Subject(Level.AGENT, home, "creative"), gone)
    Model.objects.filter(id=gone).update(is_retired=True)
    Model.objects.filter(id__in=(known, gone)).update(last_seen_at=now() - timedelta(days=3, hours=2))
    _keys(workspace)
    return {"model": str(known)}


def _keys(workspace: UUID) -> None:
    """One replaced, one for a server that asks for none; a list that was read, and one that failed since."""
    for address, secret in ((OPENAI, "sk-canary"), (GROQ, "gsk-canary"), (LOCAL, "")):
        gateway.store_credential(workspace, COMPATIBLE, address, secret)
    gateway.store_credential(workspace, COMPATIBLE, OPENAI, "sk-canary-2")
    Credential.objects.filter(workspace_id=workspace).update(created_at=now() - timedelta(days=40))
    tried, well = now() - timedelta(minutes=12), now() - timedelta(days=1, hours=5)
    for address, code in ((OPENAI, ""), (GROQ, "provider_unavailable")):
        CatalogueSync.objects.create(
            workspace_id=workspace,
            provider=COMPATIBLE,
            base_url=address,
            tried_at=tried,
            succeeded_at=well if code else tried,
            listed=1_204 if not code else 17,
            error_code=code,
            diagnosis=DETAIL if code else "",
        )
