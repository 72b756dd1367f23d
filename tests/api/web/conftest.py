"""People with a browser that needs no windows."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.test import Client

from api.rooms.accounts.models import User
from tests.factories.places import Place, new_place

Browser = Callable[[UUID], Client]


@pytest.fixture
def place(db: None) -> Place:
    return new_place()


@pytest.fixture
def signed_in(db: None) -> Browser:
    """A client of one person, who reads English unless something else was chosen."""

    def browse(user_id: UUID) -> Client:
        client = Client(headers={"Accept-Language": "en"})
        client.force_login(User.objects.get(id=user_id))
        return client

    return browse
