"""Say which model a session, agent, area, project or workspace uses."""

from uuid import UUID

from django.db import transaction

from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.gateway.models import Binding, Model
from api.rooms.gateway.services.catalogue import ModelSpec, add_model
from api.rooms.kernel.refusals import Refusal, not_found
from contracts.problem import ProblemCode

NEEDS_TOOLS = frozenset({Level.AGENT, Level.AREA})


@transaction.atomic
def bind(workspace_id: UUID, subject: Subject, model: ModelSpec | UUID) -> UUID:
    """One binding for each subject; the next call uses it. `model` is a spec or an id of the workspace's catalogue.

    Refused by name: a model that is switched off or no longer listed, and for agents and areas one that cannot call
    tools (RN-040).
    """
    model_id = add_model(workspace_id, model) if isinstance(model, ModelSpec) else model
    chosen = Model.objects.filter(id=model_id, workspace_id=workspace_id).first()
    if chosen is None:
        raise not_found("model")
    if not chosen.is_active or chosen.is_retired:
        what = "its provider lists it no longer" if chosen.is_retired else "it is switched off in this workspace"
        raise _unfit(f"{chosen.name} cannot be used: {what}. Choose another model, or switch it on under Models.")
    if subject.level in NEEDS_TOOLS and not chosen.has_tools:
        raise _unfit(f"{chosen.name} cannot call tools, and agents need them. Choose another model.")
    row, _ = Binding.objects.update_or_create(
        level=subject.level,
        subject_id=subject.id,
        name=subject.name,
        defaults={"workspace_id": workspace_id, "model_id": model_id},
    )
    return row.id


def _unfit(words: str) -> Refusal:
    return Refusal(ProblemCode.INVALID_PARAMETER, words, {"field": "model"})


def unbind(workspace_id: UUID, subject: Subject) -> bool:
    """Wider bindings apply again; false when nothing was bound here."""
    deleted, _ = Binding.objects.filter(
        workspace_id=workspace_id, level=subject.level, subject_id=subject.id, name=subject.name
    ).delete()
    return deleted > 0
