"""What all public views share."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.views import APIView

from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode


class View(APIView):
    """`self.user_id` is the person who asks; every refusal is a problem body."""

    @property
    def user_id(self) -> UUID:
        user_id = self.request.user.pk
        if not isinstance(user_id, UUID):
            raise Refusal(ProblemCode.UNAUTHENTICATED, "Sign in, or send `Authorization: Bearer <API token>`.")
        return user_id


__all__ = ["Request", "View"]
