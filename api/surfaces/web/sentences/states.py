"""Passing states and what forms say: readiness, retries, the fields of a model, the languages of providers."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from api.rooms.gateway.domain.uses import ModelUse

BLOCKS: dict[str, Promise] = {
    "no_active_creative": _("Tell the Creative your idea first."),
    "no_business_rule": _("It takes at least one business rule. Keep talking: the Creative records them."),
    "nothing_new": _("Nothing was added since the last brief."),
    "already_running": _("The brief is being written."),
    "session_ended": _("This session has ended."),
}

NOTICES: dict[str, Promise] = {
    "rate_limited": _("The model provider limits how often it may be asked."),
    "provider_unavailable": _("The model provider has a problem of its own."),
    "provider_timeout": _("The model provider took too long."),
    "other": _("The model provider could not be reached."),
}

MODEL_FIELDS: dict[str, Promise] = {
    "base_url": _(
        "This address cannot be used. It begins with https://, holds no key, and leads to your own network only "
        "where the operator allows that."
    ),
    "secret": _("This key cannot be used. A key has no spaces and no accents: copy it once more."),
    "choice": _(
        "This model cannot be used here: it is switched off, not listed any more, or cannot call tools. Choose another."
    ),
    "model": _("A model needs its name, as the provider writes it."),
    "price_in": _("A price is a number of US dollars. Give both prices, or neither."),
    "price_out": _("A price is a number of US dollars. Give both prices, or neither."),
    "rates": _("Only a model on your own machine may cost nothing. Give the prices that the provider asks."),
    "other": _("Something in the form cannot be used. Check the fields and send it again."),
}

PROVIDER_TITLES: dict[str, str | Promise] = {
    "openai_compatible": _("OpenAI or compatible"),
    "anthropic": "Anthropic",
    "gemini": "Google Gemini",
    "rehearsal": _("Rehearsal"),
}

MODEL_USES: dict[ModelUse, Promise] = {
    ModelUse.CODE: _("Code"),
    ModelUse.DOCUMENTATION: _("Documentation"),
    ModelUse.ANALYSIS: _("Analysis"),
    ModelUse.IMAGE: _("Images"),
    ModelUse.CONVERSATION: _("Conversation"),
}
"""What a workspace marks a model for."""
