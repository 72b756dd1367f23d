"""Threat 19: tenants share processes, threads and pooled connections, and nothing of each other."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from uuid import UUID

import pytest
from django.db import connections
from django.test import Client

from api.rooms.accounts.models import User
from api.rooms.accounts.services import set_language
from tests.factories.conversation import say
from tests.factories.places import Place, new_place, token_of

THREADS = 4
ROUNDS = 16


@dataclass(frozen=True)
class Tenant:
    place: Place
    token: str
    cookie: str
    language: str

    def ask(self) -> dict[str, object]:
        """What its person sees by the API and on the page."""
        headers = {"Authorization": f"Bearer {self.token}"}
        projects = json.loads(Client().get("/api/v1/projects", headers=headers).content)
        events = json.loads(Client().get(f"/api/v1/sessions/{self.place.session_id}/events", headers=headers).content)
        page = Client(headers={"Cookie": f"sessionid={self.cookie}"}).get(f"/sessions/{self.place.session_id}/")
        return {
            "projects": [each["id"] for each in projects],
            "texts": [event["payload"]["text"] for event in events["events"] if "text" in event["payload"]],
            "language": page.headers["Content-Language"],
        }

    def may_see(self) -> dict[str, object]:
        return {"projects": [str(self.place.project_id)], "texts": [self.language], "language": self.language}

    def foreign(self, session_id: UUID) -> int:
        headers = {"Authorization": f"Bearer {self.token}"}
        return Client().get(f"/api/v1/sessions/{session_id}/events", headers=headers).status_code


def new_tenant(language: str) -> Tenant:
    place = new_place()
    say(place, language)
    set_language(place.user_id, language)
    client = Client()
    client.force_login(User.objects.get(id=place.user_id))
    return Tenant(place, token_of(place.user_id), client.cookies["sessionid"].value, language)


@pytest.mark.usefixtures("committed")
def test_mixed_tenants_over_the_same_threads_and_connections_see_nothing_of_each_other() -> None:
    tenants = [new_tenant("en"), new_tenant("pt-br")]

    def one(turn: int) -> tuple[dict[str, object], dict[str, object], int]:
        me, other = tenants[turn % 2], tenants[(turn + 1) % 2]
        return me.ask(), me.may_see(), me.foreign(other.place.session_id)

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(one, range(ROUNDS)))
        list(pool.map(lambda _: connections.close_all(), range(THREADS * 4)))
    assert [seen for seen, _, _ in found] == [mine for _, mine, _ in found]
    assert {status for _, _, status in found} == {404}
