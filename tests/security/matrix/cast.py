"""Who comes to the doors: each role, a stranger with a workspace of their own, and those who lost their right."""

import json
import re
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from api.rooms.accounts.models import ApiToken, User
from api.rooms.accounts.services import issue_token, revoke_token, set_active
from contracts.vocabulary import Role
from tests.api.rest.caller import World, new_world
from tests.factories.places import new_member, new_person
from tests.security.matrix.table import Case, body_of

UNIQUE = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9]{64}|nonce[-=]\S+")


@dataclass(frozen=True)
class Visitor:
    """Pages know a person by cookie, the public API by token."""

    client: Client
    token: str | None = None


def _by_cookie(user_id: UUID) -> Client:
    client = Client(raise_request_exception=False, headers={"Accept-Language": "en"})
    client.force_login(User.objects.get(id=user_id))
    return client


def visitor(user_id: UUID) -> Visitor:
    return Visitor(_by_cookie(user_id), issue_token(user_id, "matrix"))


def nobody(token: str | None = None) -> Visitor:
    return Visitor(Client(raise_request_exception=False), token)


class Scene:
    """Two tenants and everybody; made once, each call is undone."""

    def __init__(self) -> None:
        self.world: World = new_world()
        self.other: World = new_world()
        self.members = {role: visitor(new_member(self.world.place, role)) for role in Role}
        self.stranger = visitor(self.other.place.user_id)
        self.lost = {"nobody": nobody(), "a switched-off owner": self._off(), "a revoked token": self._revoked()}

    def _off(self) -> Visitor:
        owner = new_member(self.world.place, Role.OWNER)
        found = visitor(owner)
        set_active(owner, is_active=False)
        return found

    def _revoked(self) -> Visitor:
        owner = new_member(self.world.place, Role.OWNER)
        token = issue_token(owner, "matrix")
        revoke_token(ApiToken.objects.get(user_id=owner).id)
        return nobody(token)

    @cached_property
    def staff(self) -> Visitor:
        user_id = new_person("Operator")
        User.objects.filter(id=user_id).update(is_staff=True, is_superuser=True)
        return visitor(user_id)

    def call(self, who: Visitor, case: Case, ids: dict[str, object], method: str | None = None) -> HttpResponse:
        """The right request to the case's route; whatever it changes is undone."""
        path = case.path.format(**ids)
        headers = {"Authorization": f"Bearer {who.token}"} if case.is_rest and who.token else {}
        client: Any = Client(raise_request_exception=False, headers={"Accept-Language": "en"})
        if not headers:
            client.cookies = copy(who.client.cookies)  # a copy: signing out forgets them
        body = b"" if method else self._body(case, ids)
        kind = "application/json" if case.is_rest else "application/x-www-form-urlencoded"
        with transaction.atomic():
            response: HttpResponse = client.generic(method or case.method, path, body, kind, headers=headers)
            transaction.set_rollback(True)
        return response

    def _body(self, case: Case, ids: dict[str, object]) -> bytes:
        if case.is_rest:
            body = body_of(case, self.world)
            return b"" if body is None else json.dumps(body).encode()
        return urlencode({name: str(value).format(**ids) for name, value in case.fields}).encode()


def bare(response: HttpResponse) -> bytes:
    """A body without ids and tokens: what two answers may differ in."""
    return UNIQUE.sub(b"*", response.content)
