"""Whatever a form of a page is sent, it is never a server error, and what the person typed is not lost."""

import html
import json
from typing import Any
from urllib.parse import quote_plus, urlencode

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from contracts.vocabulary import Role
from tests.security.matrix.cast import Scene
from tests.security.matrix.table import CASES, Case

MAX_TOGETHER = 10_000
FORMS = [case for case in CASES if case.method == "POST" and not case.is_rest and case.path != "/logout/"]
VALUES: dict[str, bytes] = {
    "nothing": b"",
    "blank": b"+++",
    "NUL": b"a%00b",
    "half a surrogate": b"a%ED%A0%80b",
    "invalid UTF-8": b"%FF%FE%C0%80",
    "a megabyte": b"x" * 1_000_000,
    "right to left": quote_plus("\u202eabc\u2066\u05d0").encode(),
    "emoji": quote_plus("👩‍👩‍👧‍👦" * 200).encode(),
    "combining": quote_plus("a" + "\u0301" * 500).encode(),
    "negative": b"-1",
    "huge": b"9" * 400,
    "not a number": b"NaN",
    "infinite": b"Infinity",
    "exponent": b"1e999999999",
    "markup": quote_plus("\"'><script>alert(1)</script>{{7*7}}{%x%}").encode(),
    "percent": b"%25s%25(x)s%",
    "controls": b"%07%1B[31m%0D%0A%0B",
}
OPTIONAL = (
    "price_in",
    "price_out",
    "secret",
    "next",
    "language",
    "username",
    "password",
    "answer-",
    "answer-why",
    "other-why",
)


def send(scene: Scene, case: Case, body: bytes, kind: str = "application/x-www-form-urlencoded") -> HttpResponse:
    client: Any = Client(raise_request_exception=False, headers={"Accept-Language": "en"})
    client.cookies = scene.members[Role.OWNER].client.cookies.copy()
    if case.path == "/login/":
        client.cookies.clear()
    with transaction.atomic():
        response: HttpResponse = client.generic("POST", case.path.format(**scene.world.ids()), body, kind)
        transaction.set_rollback(True)
    return response


def body_with(scene: Scene, case: Case, field: str, value: bytes) -> bytes:
    rest = {name: str(right).format(**scene.world.ids()) for name, right in case.fields if name != field}
    return urlencode(rest).encode() + b"&" + field.encode() + b"=" + value


@pytest.mark.parametrize(
    "case", [case for case in FORMS if case.fields or case.path == "/login/"], ids=lambda case: case.path
)
def test_no_value_of_any_field_is_a_server_error(scene: Scene, case: Case) -> None:
    found = {}
    for kind, value in VALUES.items():
        for field in (name for name, _ in case.fields):
            found[field, kind] = send(scene, case, body_with(scene, case, field, value)).status_code
        everything = b"&".join(name.encode() + b"=" + value[:MAX_TOGETHER] for name in OPTIONAL)
        body = body_with(scene, case, "", b"") + b"&" + everything
        found["the optional ones", kind] = send(scene, case, body).status_code
    assert {key: status for key, status in found.items() if status >= 500} == {}


BOUNDARY = "multipart/form-data; boundary=x"
WHOLE = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nhello\r\n--x--\r\n'
BODIES: dict[str, tuple[bytes, str]] = {
    "JSON": (json.dumps({"text": "x"}).encode(), "application/json"),
    "no content type": (b"text=x", ""),
    "a made-up one": (b"text=x", "x"),
    "a charset that is none": (b"text=x", "application/x-www-form-urlencoded; charset=utf-999"),
    "UTF-16": ("text=x".encode("utf-16"), "application/x-www-form-urlencoded; charset=utf-16"),
    "every key twice": (b"text=a&text=b&name=a&name=b&workspace=1&workspace=2", "application/x-www-form-urlencoded"),
    "arrays": (b"text[]=a&name[0]=b&workspace[x]=1", "application/x-www-form-urlencoded"),
    "two thousand keys": (b"&".join(b"k%d=1" % n for n in range(2_000)), "application/x-www-form-urlencoded"),
    "multipart without a boundary": (WHOLE, "multipart/form-data"),
    "multipart cut short": (WHOLE[:-20], BOUNDARY),
    "multipart cut in its head": (WHOLE[:30], BOUNDARY),
    "multipart that is none": (b"\x00" * 500, BOUNDARY),
    "a file where text is wanted": (WHOLE.replace(b'"text"', b'"text"; filename="../../x"'), BOUNDARY),
    "base64 that is none": (
        WHOLE.replace(b"\r\n\r\nhello", b"\r\nContent-Transfer-Encoding: base64\r\n\r\n@@"),
        BOUNDARY,
    ),
}


@pytest.mark.parametrize("case", FORMS, ids=lambda case: case.path)
def test_no_body_of_any_kind_is_a_server_error(scene: Scene, case: Case) -> None:
    found = {name: send(scene, case, *body).status_code for name, body in BODIES.items()}
    assert {name: status for name, status in found.items() if status >= 500} == {}


KEPT = (
    ("/projects/", "name", "N" * 200),
    ("/projects/{project}/", "name", "<b>" + "N" * 200),
    ("/projects/{project}/model", "model", "<m>" + "N" * 300),
    ("/projects/{project}/model", "price_in", "three & a half"),
    (SESSION_MODEL := "/sessions/{session}/model", "price_out", '"-7"'),
)


NAMED = b"&do=name&provider=openai_compatible&base_url=https%3A%2F%2Fmodels.example.org%2Fv1"
"""The last word for `do` counts: a model by its name, rather than one of the list."""


@pytest.mark.parametrize(("path", "field", "typed"), KEPT)
def test_a_form_that_is_refused_still_holds_what_was_typed(scene: Scene, path: str, field: str, typed: str) -> None:
    case = next(case for case in FORMS if case.path == path)
    named = NAMED if path.endswith("/model") else b""
    refused = send(scene, case, body_with(scene, case, field, quote_plus(typed).encode()) + named)
    assert refused.status_code == 400
    assert html.escape(typed, quote=True) in refused.content.decode()


def test_a_secret_is_never_shown_again_not_even_in_a_refused_form(scene: Scene) -> None:
    case = next(case for case in FORMS if case.path == SESSION_MODEL)
    refused = send(scene, case, b"model=&secret=sk-canary-1" + NAMED)
    assert (refused.status_code, "sk-canary-1" in refused.content.decode()) == (400, False)
