"""Who a token or an id stands for."""

from collections.abc import Iterable
from uuid import UUID

from api.rooms.accounts.models import User
from api.rooms.accounts.services import digest_of


def user_of_token(token: str) -> User | None:
    """The active person behind a token, else None. The row is Django's own currency for `request.user`."""
    return User.objects.filter(api_tokens__digest=digest_of(token), api_tokens__revoked_at=None, is_active=True).first()


def names_of(user_ids: Iterable[UUID]) -> dict[UUID, str]:
    return dict(User.objects.filter(id__in=set(user_ids)).values_list("id", "name"))


def is_active(user_id: UUID) -> bool:
    return User.objects.filter(id=user_id, is_active=True).exists()
