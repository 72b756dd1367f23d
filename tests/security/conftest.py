"""One scene for the module: making it costs more than any case; and limits that are reached soon."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker, Settings

from api.surfaces.throttling import counters, kinds
from api.surfaces.throttling.kinds import Kind, Limits
from tests.security.matrix.cast import Scene

FEW = Limits("3/minute", "5/minute")


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """Rolled back at the end."""
    with django_db_blocker.unblock():
        with transaction.atomic():
            yield Scene()
            transaction.set_rollback(True)
        connection.close()


@pytest.fixture
def limited(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Three a minute for everything, counted from nothing."""
    settings.MUTIRAO_RATE_LIMITS = True
    monkeypatch.setattr(kinds, "LIMITS", {})
    for kind in Kind:
        monkeypatch.setitem(kinds.LIMITS, kind, FEW)
    monkeypatch.setattr("api.surfaces.throttling.doors.LIMITS", kinds.LIMITS)
    monkeypatch.setattr("api.surfaces.web.throttle.LIMITS", kinds.LIMITS)
    monkeypatch.setattr(counters, "PREFIX", f"api:limits:{uuid4().hex}")
    counters._shared.cache_clear()
    counters._own.cache_clear()
    yield
    counters._shared.cache_clear()
