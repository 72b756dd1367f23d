"""What all public views share."""

from typing import Any, ClassVar
from uuid import UUID

from rest_framework.request import Request
from rest_framework.views import APIView

from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode

MAX_SHOWN_CHARS = 80


class View(APIView):
    """`self.user_id` is the person who asks; every refusal is a problem body.

    `query` names the parameters there are: no filter of a client's own choosing reaches anything (CVE-2025-64459).
    """

    query: ClassVar[frozenset[str]] = frozenset()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        for name, values in request.query_params.lists():
            if name not in self.query or len(values) > 1:
                raise self._refusal_of(name)

    def _refusal_of(self, name: str) -> Refusal:
        shown = ascii(name)[1:-1][:MAX_SHOWN_CHARS]
        known = ", ".join(f"`{known}`" for known in sorted(self.query)) or "none"
        detail = f"`{shown}` cannot be asked for here, or not twice. Parameters of this address: {known}."
        return Refusal(ProblemCode.INVALID_PARAMETER, detail, {"field": shown})

    @property
    def user_id(self) -> UUID:
        user_id = self.request.user.pk
        if not isinstance(user_id, UUID):
            raise Refusal(ProblemCode.UNAUTHENTICATED, "Sign in, or send `Authorization: Bearer <API token>`.")
        return user_id


__all__ = ["Request", "View"]
