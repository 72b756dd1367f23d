"""The language and the theme of whoever looks."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from api.rooms.accounts.services import set_language
from api.surfaces.web.theme import COOKIE, THEMES

YEAR_SECONDS = 365 * 24 * 3600


@require_POST
def change(request: HttpRequest) -> HttpResponse:
    """Kept with the account for who is signed in, and in cookies for this browser."""
    response = HttpResponseRedirect(_way_back(request))
    language = request.POST.get("language", "")
    if language in dict(settings.LANGUAGES):
        response.set_cookie(settings.LANGUAGE_COOKIE_NAME, language, max_age=YEAR_SECONDS, samesite="Lax")
        if request.user.is_authenticated:
            set_language(request.user.id, language)
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie(COOKIE, theme, max_age=YEAR_SECONDS, samesite="Lax")
    return response


def _way_back(request: HttpRequest) -> str:
    wanted = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours and wanted.startswith("/") else "/"
