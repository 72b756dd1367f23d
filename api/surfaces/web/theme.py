"""The theme lives in a cookie, so that the server draws the first frame in it."""

from django.http import HttpRequest

COOKIE = "theme"
THEMES = ("auto", "light", "dark")


def theme_of(request: HttpRequest) -> str:
    chosen = request.COOKIES.get(COOKIE, "auto")
    return chosen if chosen in THEMES else "auto"
