"""Every component in one place, so that the language can be seen whole."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

COLOURS = ("barro", "mata", "ipe", "anil", "jabuticaba", "urucum")


@require_GET
def show(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/components.html", {"colours": COLOURS})
