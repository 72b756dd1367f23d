"""The words that scripts need, translated here because scripts know no language."""

from django.utils.translation import gettext as _

from api.surfaces.web.sentences import NOTICES
from api.surfaces.web.templatetags.agents import agent_title
from contracts.agents import ROSTER


def words() -> dict[str, str | dict[str, str]]:
    """Placeholders are in braces: {agent}, {seconds}, {count}."""
    return {
        "agents": {slug: agent_title(slug) for slug in ROSTER},
        "notices": {code: str(sentence) for code, sentence in NOTICES.items()},
        "answering": _("{agent} is answering"),
        "answered": _("{agent} answered"),
        "working": _("{agent} is working on it"),
        "still_working": _("{agent} is still working on it. This can take a little while."),
        "stopped": _("Stopped"),
        "sending": _("Sending"),
        "retrying": _("Trying again in {seconds} s."),
        "retrying_now": _("Trying again now."),
        "connecting": _("Connecting"),
        "reconnecting": _("Connection lost. Connecting again; what you write is kept."),
        "throttled": _(
            "Too many live connections were opened. This page reads the news every 5 s and connects again in "
            "{seconds} s; what you write is kept."
        ),
        "not_sent": _("This could not be sent. Your text is kept; try again."),
        "not_done": _("This could not be done. Check the connection and try again."),
        "signed_out": _("You are not signed in any more. Sign in and try again; what you wrote is kept."),
        "new_messages": _("New messages"),
        "characters_over": _("{count} characters too many"),
    }
