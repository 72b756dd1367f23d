"""Who asks: pages are for people who are signed in, and nothing else lets them in."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from api.rooms.accounts.models import User
from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode

Arguments = ParamSpec("Arguments")


class PersonRequest(HttpRequest):
    """A request whose user is a person."""

    user: User


def for_people(
    page: Callable[Concatenate[PersonRequest, Arguments], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Arguments], HttpResponse]:
    """Refuses as unauthenticated, which becomes the way to the sign-in page."""

    @never_cache
    @wraps(page)
    def guarded(request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            raise Refusal(ProblemCode.UNAUTHENTICATED, "Sign in first.")
        return page(cast("PersonRequest", request), *args, **kwargs)

    return cast("Callable[Concatenate[HttpRequest, Arguments], HttpResponse]", guarded)
