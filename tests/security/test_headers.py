"""Every answer carries one strict policy: nothing inline, nothing from elsewhere (threats 13, 14)."""

import pytest
from django.test import Client

from api.rooms.accounts.models import User
from tests.factories.places import new_place

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "object-src": "'none'",
}
OTHERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@pytest.mark.parametrize(
    "path", ["/login/", "/projects/", "/components/", "/nowhere", "/api/v1/workspaces", "/admin/login/"]
)
def test_every_answer_carries_the_policy(db: None, path: str) -> None:
    client = Client()
    if "login" not in path:
        client.force_login(User.objects.get(id=new_place().user_id))
    response = client.get(path)
    policy = dict(part.strip().split(" ", 1) for part in response.headers["Content-Security-Policy"].split(";"))
    assert policy == POLICY
    assert {name: response.headers[name] for name in OTHERS} == OTHERS
    assert "camera=()" in response.headers["Permissions-Policy"]
