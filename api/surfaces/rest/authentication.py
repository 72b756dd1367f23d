"""Bearer tokens, as `Authorization: Bearer mut_…`."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from api.rooms.accounts.models import User
from api.rooms.accounts.selectors import user_of_token


class TokenAuthentication(BaseAuthentication):
    """No header: the next authentication is asked. A wrong token: refused, never anonymous."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        user = user_of_token(token.strip())
        if user is None:
            raise AuthenticationFailed("This token is unknown or revoked.")
        return user, None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI document names it."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
