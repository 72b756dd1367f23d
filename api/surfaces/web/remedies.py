"""F35: where a person changes what made a turn fail, as the address and the name of a page."""

from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from contracts.failures import ErrorCode

OF_MODELS = frozenset({ErrorCode.MODEL_NOT_FOUND, ErrorCode.MODEL_NOT_ALLOWED, ErrorCode.NO_BINDING})
OF_KEYS = frozenset({ErrorCode.NO_CREDENTIAL, ErrorCode.CREDENTIAL_REJECTED, ErrorCode.CREDENTIAL_UNREADABLE})


@dataclass(frozen=True)
class Remedy:
    href: str
    label: Promise


def remedy_of(code: ErrorCode, facts: dict[str, str], agent: str | None, ids: tuple[UUID, UUID, UUID]) -> Remedy | None:
    """`ids` are the session, its project and its workspace; none where waiting or other words help."""
    session_id, project_id, workspace_id = ids
    if code is ErrorCode.BUDGET_EXCEEDED:
        above = {"project": project_id, "workspace": workspace_id}
        node = facts.get("node") if facts.get("node") in above else "session"
        return Remedy(reverse(f"web:{node}-budget", args=[above.get(node or "", session_id)]), _("Budget"))
    if code is ErrorCode.MODEL_UNPRICED:
        return Remedy(reverse("web:models", args=[workspace_id]), _("Models"))
    if code in OF_MODELS:
        query = f"?agent={agent}" if agent else ""
        return Remedy(reverse("web:session-model", args=[session_id]) + query, _("Model"))
    if code in OF_KEYS:
        return Remedy(reverse("web:keys", args=[workspace_id]), _("Keys"))
    return None
