"""One scene for the module: making it costs more than any case."""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from tests.security.matrix.cast import Scene


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """Rolled back at the end."""
    with django_db_blocker.unblock():
        with transaction.atomic():
            yield Scene()
            transaction.set_rollback(True)
        connection.close()
