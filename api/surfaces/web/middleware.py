"""Pages speak the language of the account, and of the browser to those who have not chosen one."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation
from django.utils.decorators import sync_and_async_middleware
from django.utils.deprecation import MiddlewareMixin


class _Language(MiddlewareMixin):
    """Runs after LocaleMiddleware, whose choice stands when there is no account or it has no language."""

    def process_request(self, request: HttpRequest) -> None:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return
        language = getattr(request.user, "language", None)
        if language:
            translation.activate(language)
            request.LANGUAGE_CODE = language


@sync_and_async_middleware
def language_of_the_person(get_response: Callable[[HttpRequest], HttpResponseBase]) -> MiddlewareMixin:
    return _Language(get_response)
