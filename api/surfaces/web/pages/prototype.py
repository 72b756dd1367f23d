"""The prototype: who it is for and along which ways, and its screens in a frame that can reach nothing."""

import re
import secrets
from functools import cache
from pathlib import Path
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from api.hardening import POLICY, framed_policy, framing_policy
from api.rooms.architecture.selectors import architecture
from api.rooms.kernel.refusals import not_found
from api.surfaces import access
from api.surfaces.web.pages.people import PersonRequest, for_people
from contracts.vocabulary import Role

SHEETS = Path(__file__).parents[1] / "static" / "web" / "css"
FONT = re.compile(r"@font-face \{.*?\}\n*", re.DOTALL)


@cache
def style() -> SafeString:
    """Our own sheets as text, without the fonts that the frame may not fetch."""
    sheets = ((SHEETS / f"{name}.css").read_text(encoding="utf-8") for name in ("tokens", "prototype"))
    return mark_safe(FONT.sub("", "\n".join(sheets)))  # noqa: S308 - files of ours


@for_people
@require_safe
def show(request: PersonRequest, project_id: UUID) -> HttpResponse:
    project = access.project(request.user.id, project_id, Role.VIEWER)
    context = {"project": project, "prototype": architecture(project.id).prototype}
    response = render(request, "pages/prototype.html", context)
    response[POLICY] = framing_policy()
    return response


@for_people
@require_safe
def frame(request: PersonRequest, project_id: UUID) -> HttpResponse:
    """The screens alone; each is shown by its anchor, so that no script is needed to walk."""
    project = access.project(request.user.id, project_id, Role.VIEWER)
    prototype = architecture(project.id).prototype
    if prototype is None:
        raise not_found("prototype")
    numbers = {screen.name: number for number, screen in enumerate(prototype.screens, 1)}
    screens = [
        (numbers[screen.name], screen, [(each, numbers.get(each.goes_to)) for each in screen.elements])
        for screen in prototype.screens
    ]
    nonce = secrets.token_urlsafe()
    context = {"screens": screens, "nonce": nonce, "style": style()}
    response = render(request, "pages/prototype_frame.html", context)
    response[POLICY], response["X-Frame-Options"] = framed_policy(nonce), "SAMEORIGIN"
    return response
