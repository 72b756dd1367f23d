"""Issue and revoke the tokens that act for a person."""

import hashlib
import secrets
from uuid import UUID

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction

from api.rooms.accounts import rights
from api.rooms.accounts.models import ApiToken, User
from api.rooms.kernel.clock import now

TOKEN_PREFIX = "mut_"  # noqa: S105 - a prefix that secret scanners can know, not a secret


def digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def new_token() -> str:
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def issue_token(user_id: UUID, name: str, token: str | None = None) -> str:
    """The token in clear, for this once. Issuing the same token again changes nothing."""
    token = token or new_token()
    ApiToken.objects.get_or_create(digest=digest_of(token), defaults={"user_id": user_id, "name": name})
    return token


def revoke_token(token_id: UUID) -> None:
    token = ApiToken.objects.filter(id=token_id, revoked_at=None).first()
    if token is not None:
        ApiToken.objects.filter(id=token_id, revoked_at=None).update(revoked_at=now())
        rights.changed(token.user_id)


def set_active(user_id: UUID, *, is_active: bool) -> None:
    """A person who is switched off signs in nowhere, and their tokens open nothing."""
    User.objects.filter(id=user_id).update(is_active=is_active)
    rights.changed(user_id)


@transaction.atomic
def deactivate(user_id: UUID) -> None:
    """Signed out everywhere, tokens revoked, sockets closed; an operator may let the person in again."""
    set_active(user_id, is_active=False)
    ApiToken.objects.filter(user_id=user_id, revoked_at=None).update(revoked_at=now())
    ended = [
        row.session_key for row in Session.objects.filter(expire_date__gt=now()).iterator() if _is_of(row, user_id)
    ]
    Session.objects.filter(session_key__in=ended).delete()


def reactivate(user_id: UUID) -> None:
    set_active(user_id, is_active=True)


def _is_of(row: Session, user_id: UUID) -> bool:
    return row.get_decoded().get(SESSION_KEY) == str(user_id)


def set_language(user_id: UUID, language: str | None) -> None:
    User.objects.filter(id=user_id).update(language=language)
