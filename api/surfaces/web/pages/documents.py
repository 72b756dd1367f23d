"""A backlog out of Mutirão and into it: downloads, and an import whose dry run shows what would be made."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from api.rooms.backlog import services as backlog
from api.rooms.backlog.exporting import FORMATS, document, written
from api.rooms.backlog.services import IMPORTS, Imported
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import ProjectCard
from api.surfaces import access
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.sentences import PROBLEMS
from contracts.limits import MAX_DOCUMENT_CHARS
from contracts.problem import ProblemCode
from contracts.vocabulary import Role


@for_people
@require_safe
def export(request: PersonRequest, project_id: UUID, kind: str) -> HttpResponse:
    project = access.project(request.user.id, project_id, Role.VIEWER)
    content_type, text = written(document(project.id), kind)
    response = HttpResponse(text, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="backlog.{kind}"'
    return response


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest, project_id: UUID) -> HttpResponse:
    is_post = request.method == "POST"
    project = access.project(request.user.id, project_id, Role.DEVELOPER if is_post else Role.VIEWER)
    if not is_post:
        return _page(request, project)
    kind = request.POST.get("format", "")
    try:
        text = _text(request)
        found = backlog.read_document(kind, text)
        if request.POST.get("do") == "import":
            backlog.bring_in(project.id, request.user.id, found)
            return redirect("web:backlog", project.id)
        return _page(request, project, kind, text, backlog.dry_run(project.id, request.user.id, found))
    except Refusal as refusal:
        return _page(request, project, kind, refusal=refusal)


def _text(request: PersonRequest) -> str:
    """Of the file, or of the field that a dry run left. Raises Refusal."""
    file = request.FILES.get("file")
    if file is None:
        return request.POST.get("text", "")
    if (file.size or 0) > 4 * MAX_DOCUMENT_CHARS:
        raise Refusal(ProblemCode.TOO_LARGE, f"A document has at most {MAX_DOCUMENT_CHARS} characters.")
    try:
        return str(file.read(), "utf-8-sig")
    except UnicodeDecodeError:
        raise Refusal(
            ProblemCode.INVALID_BODY, "The file is no UTF-8 text. Save it as UTF-8, then try again."
        ) from None


def _page(
    request: PersonRequest,
    project: ProjectCard,
    kind: str = "json",
    text: str = "",
    found: Imported | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    context = {
        "project": project,
        "exports": tuple(FORMATS),
        "imports": IMPORTS,
        "kind": kind,
        "text": text,
        "found": found,
        "refusal": refusal,
        "problem": PROBLEMS[refusal.code] if refusal else "",
        "may_import": project.role.covers(Role.DEVELOPER),
    }
    return render(request, "pages/documents.html", context, status=refusal.status if refusal else 200)
