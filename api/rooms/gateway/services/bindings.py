"""Say which model a session, agent, area, project or workspace uses."""

from uuid import UUID

from django.db import transaction

from api.rooms.gateway.domain.bindings import Subject
from api.rooms.gateway.models import Binding, Model
from api.rooms.gateway.services.catalogue import ModelSpec, add_model
from api.rooms.kernel.refusals import not_found


@transaction.atomic
def bind(workspace_id: UUID, subject: Subject, model: ModelSpec | UUID) -> UUID:
    """One binding for each subject; the next call uses it. `model` is a spec or an id of the workspace's catalogue."""
    model_id = add_model(workspace_id, model) if isinstance(model, ModelSpec) else model
    if not Model.objects.filter(id=model_id, workspace_id=workspace_id).exists():
        raise not_found("model")
    row, _ = Binding.objects.update_or_create(
        level=subject.level,
        subject_id=subject.id,
        name=subject.name,
        defaults={"workspace_id": workspace_id, "model_id": model_id},
    )
    return row.id


def unbind(workspace_id: UUID, subject: Subject) -> None:
    """Wider bindings apply again."""
    Binding.objects.filter(
        workspace_id=workspace_id, level=subject.level, subject_id=subject.id, name=subject.name
    ).delete()
