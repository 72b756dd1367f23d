"""The page of a model setting: the cascade with its reasons, what can be chosen, and the form that adds by name."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from api.rooms.agent_sessions.selectors import SessionCard
from api.rooms.gateway import catalogue
from api.rooms.gateway.chains import Chain, chain_of
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.gateway.providers.presets import LANGUAGES, PRESETS
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import ProjectCard, WorkspaceCard
from api.surfaces.web.model_choices import choices
from api.surfaces.web.model_form import ModelForm
from api.surfaces.web.pages.people import PersonRequest
from api.surfaces.web.sentences import MODEL_FIELDS
from contracts.agents import ROSTER
from contracts.vocabulary import Role


@dataclass(frozen=True)
class Scope:
    """Where the page was opened: `subject` is what a choice made there is bound to."""

    workspace: WorkspaceCard
    subject: Subject
    project: ProjectCard | None = None
    session: SessionCard | None = None

    @property
    def agent(self) -> str:
        return self.subject.name

    @property
    def needs_tools(self) -> bool:
        """Only of an agent is it known; a wider choice may serve one that needs none."""
        return bool(self.agent) and needs_tools(self.agent)

    @property
    def way_back(self) -> str:
        if self.session:
            return reverse("web:session-model", args=[self.session.id])
        if self.project:
            address = reverse("web:project-model", args=[self.project.id])
            return f"{address}?agent={self.agent}" if self.agent else address
        return reverse("web:workspace-model", args=[self.workspace.id])

    def chain(self, agent: str = "") -> Chain:
        project_id: UUID | None = self.project.id if self.project else None
        session_id: UUID | None = self.session.id if self.session else None
        name = agent or self.agent
        needed = bool(name) and needs_tools(name)
        return chain_of(self.workspace.id, project_id, session_id, name or None, needs_tools=needed)


@dataclass(frozen=True)
class Asked:
    """What the person typed or chose, and what was wrong with it."""

    form: ModelForm
    what: str = ""
    refusal: Refusal | None = None


def agents() -> tuple[str, ...]:
    """Those that work already."""
    return tuple(slug for slug, card in ROSTER.items() if card.is_available)


def needs_tools(agent: str) -> bool:
    """An agent that records something does it by tools; a binding to any agent asks for them (RN-040)."""
    return bool(ROSTER[agent].may_emit)


def page(request: PersonRequest, scope: Scope, asked: Asked) -> HttpResponse:
    found = choices(
        catalogue.models_of(scope.workspace.id),
        needs_tools=scope.subject.level is Level.AGENT,
    )
    chain = scope.chain()
    context = {
        "scope": scope,
        "workspace": scope.workspace,
        "project": scope.project,
        "session": scope.session,
        "chain": chain,
        "others": found.others,
        "usable": found.usable,
        "by_agent": [(slug, scope.chain(slug)) for slug in agents()] if scope.project and not scope.agent else [],
        "presets": PRESETS,
        "providers": LANGUAGES,
        "allows_private": settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS,
        "may_change": scope.workspace.role.covers(Role.MAINTAINER),
        "may_name": scope.workspace.role.covers(Role.OWNER),
        **_said(asked),
    }
    return render(request, "pages/model.html", context, status=asked.refusal.status if asked.refusal else 200)


def _said(asked: Asked) -> dict[str, object]:
    """A model that was chosen is refused for what it is; one that was typed, for how it was typed."""
    refusal = asked.refusal
    field = refusal.facts.get("field", "") if refusal else ""
    named = "choice" if asked.what == "choose" else field
    return {
        "form": asked.form,
        "problem": MODEL_FIELDS.get(named, MODEL_FIELDS["other"]) if refusal else "",
        "problem_field": field,
        "problem_detail": refusal.detail if refusal else "",
        "is_typed": bool(asked.what == "name" or asked.form.base_url),
    }
