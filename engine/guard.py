"""Proof that the engine holds no data: Django's database layer is not here."""

import sys


def refuse_django() -> None:
    """Raise when Django is configured or its database layer is loaded (kombu may load other parts of it)."""
    conf = sys.modules.get("django.conf")
    is_configured = conf is not None and conf.settings.configured
    if is_configured or "django.db" in sys.modules:
        raise RuntimeError("The engine runs without Django: something here configured it or loaded django.db.")
