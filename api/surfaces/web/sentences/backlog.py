"""The parts and states of a story, as people read them."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from api.rooms.backlog.cards import Looker
from api.rooms.backlog.filters import Need
from api.rooms.backlog.iteration_pages import Progress
from contracts.detailing import Domain, ProjectKind
from contracts.routes.detailing import Resolution
from contracts.vocabulary import StoryStatus, TaskStatus

STORY_STATUS: dict[StoryStatus, Promise] = {
    StoryStatus.DRAFT: pgettext_lazy("story", "draft"),
    StoryStatus.READY: pgettext_lazy("story", "ready"),
    StoryStatus.IN_PROGRESS: pgettext_lazy("story", "in progress"),
    StoryStatus.DONE: pgettext_lazy("story", "done"),
}
TASK_STATUS: dict[TaskStatus, Promise] = {
    TaskStatus.TODO: pgettext_lazy("task", "to do"),
    TaskStatus.IN_PROGRESS: pgettext_lazy("task", "in progress"),
    TaskStatus.IN_REVIEW: pgettext_lazy("task", "in review"),
    TaskStatus.DONE: pgettext_lazy("task", "done"),
}
STORY_PARTS: dict[str, Promise] = {
    "title": _("Title"),
    "description": _("Description"),
    "functional_requirements": _("Functional requirements"),
    "nonfunctional_requirements": _("Non-functional requirements"),
    "acceptance_criteria": _("Acceptance criteria"),
    "test_scenarios": _("Test scenarios"),
    "definition_of_ready": _("Definition of ready"),
    "definition_of_done": _("Definition of done"),
    "rules": _("Business rules"),
}
LACKS: dict[str, Promise] = {
    "functional_requirement": _("a functional requirement"),
    "definition_of_ready": _("a definition of ready"),
    "definition_of_done": _("a definition of done"),
    "business_rule": _("a business rule"),
    "known_module": _("modules that the current map has"),
}
NEEDS: dict[Need, Promise] = {
    Need.PROMOTION: _("a person's promotion"),
    Need.CONTENT: _("missing parts"),
    Need.REVIEW: _("a look, because a rule was reworded"),
    Need.REWORK: _("rework: it was given back"),
    Need.TASKS: _("tasks"),
}
DOMAINS: dict[Domain, Promise] = {
    Domain.BACKEND: pgettext_lazy("domain", "Backend"),
    Domain.FRONTEND: pgettext_lazy("domain", "Frontend"),
    Domain.DATABASE: pgettext_lazy("domain", "Database"),
    Domain.INTEGRATION: pgettext_lazy("domain", "Integration"),
    Domain.INFRASTRUCTURE: pgettext_lazy("domain", "Infrastructure"),
    Domain.SECURITY: pgettext_lazy("domain", "Security"),
    Domain.TESTING: pgettext_lazy("domain", "Testing"),
    Domain.DOCUMENTATION: pgettext_lazy("domain", "Documentation"),
}
PROGRESS: dict[Progress, Promise] = {
    Progress.WAITING: pgettext_lazy("detailing", "waits"),
    Progress.RUNNING: pgettext_lazy("detailing", "is being written"),
    Progress.DONE: pgettext_lazy("detailing", "written"),
    Progress.FAILED: pgettext_lazy("detailing", "did not work"),
    Progress.CANCELLED: pgettext_lazy("detailing", "stopped"),
}
PROJECT_KINDS: dict[ProjectKind, tuple[Promise, Promise]] = {
    ProjectKind.NEW: (_("New product"), _("A new product: tasks begin with what everything stands on.")),
    ProjectKind.ONGOING: (_("Existing product"), _("A product that exists: tasks change what is there.")),
    ProjectKind.MIGRATION: (
        _("Migration"),
        _("An old system is replaced: tasks keep both running until the new one is proven."),
    ),
}
IMPORT_NAMES: dict[str, Promise] = {
    "json": _("Mutirão, JSON"),
    "csv": _("Mutirão, CSV"),
    "jira": _("Jira, CSV export"),
    "plane": _("Plane, CSV export"),
    "task_master": _("Task Master, tasks.json"),
}
DOCUMENT_KINDS: dict[str, Promise] = {
    "rule": pgettext_lazy("kind", "rule"),
    "epic": pgettext_lazy("kind", "epic"),
    "feature": pgettext_lazy("kind", "feature"),
    "story": pgettext_lazy("kind", "story"),
    "task": pgettext_lazy("kind", "task"),
    "iteration": pgettext_lazy("kind", "iteration"),
}
RESOLUTIONS: dict[Resolution, Promise] = {
    Resolution.CODE: _("by their code"),
    Resolution.RESOLVED: _("by their title, at once"),
    Resolution.ASKED: _("not at once: the agent asked"),
    Resolution.CORRECTED: _("after the agent had asked"),
}
LOOKERS: dict[Looker, Promise] = {
    Looker.PRODUCT_OWNER: _("the Product Owner looks"),
    Looker.PERSON: _("a person looks"),
    Looker.DEV_LEAD: _("the Dev Lead looks"),
}
