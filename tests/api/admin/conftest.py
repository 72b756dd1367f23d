"""Operators with more and fewer rights, and a place with a row of everything."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from api.rooms.accounts.models import User
from tests.factories.places import Place, new_place


def staff(*codenames: str) -> Client:
    """Somebody of the staff with these permissions and no others, signed in."""
    user = User.objects.create(email=f"staff-{'-'.join(codenames) or 'none'}@example.org", name="Bia", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return signed_in(user)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def root(committed: None) -> Client:
    return signed_in(User.objects.create_superuser("root@example.org", name="Raiz"))


@pytest.fixture
def place(committed: None) -> Place:
    return new_place()
