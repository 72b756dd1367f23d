"""The providers, by name: to add one, write its module and name it here."""

from api.rooms.gateway.providers.anthropic import Anthropic
from api.rooms.gateway.providers.gemini import Gemini
from api.rooms.gateway.providers.openai_compatible import OpenAICompatible
from api.rooms.gateway.providers.provider import Provider, ProviderFailure, Target
from api.rooms.gateway.providers.rehearsal import Rehearsal

PROVIDERS: dict[str, Provider] = {
    provider.name: provider
    for provider in (
        OpenAICompatible(),
        Anthropic(),
        Gemini(),
        Rehearsal(),
    )
}

__all__ = ["PROVIDERS", "Provider", "ProviderFailure", "Target"]
