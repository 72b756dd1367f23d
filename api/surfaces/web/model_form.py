"""The form of a model by its name: read, checked, and carried out in the order that leaves nothing half done."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from uuid import UUID

from django.db import transaction

from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.bindings import Subject
from api.rooms.gateway.providers.presets import COMPATIBLE, PRESETS
from api.rooms.gateway.services import ModelSpec
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import WorkspaceCard
from api.surfaces.web import typed_prices
from contracts.base import has_forbidden_character
from contracts.problem import ProblemCode
from contracts.vocabulary import Role

MAX_MODEL_CHARS = 200


@dataclass(frozen=True)
class ModelForm:
    """As it was typed. The secret is never shown again, not even to who has just typed it."""

    provider: str = COMPATIBLE
    base_url: str = ""
    model: str = ""
    secret: str = ""
    price_in: str = ""
    price_out: str = ""

    @property
    def spec(self) -> ModelSpec:
        return ModelSpec(self.provider, self.model, self.base_url)

    @property
    def has_price(self) -> bool:
        return bool(self.price_in or self.price_out)

    @classmethod
    def read(cls, posted: Mapping[str, str]) -> "ModelForm":
        typed = {name: str(posted.get(name, "")).strip() for name in cls.__dataclass_fields__}
        return cls(**{**typed, "provider": typed["provider"] or COMPATIBLE})

    @classmethod
    def of_preset(cls, name: str) -> "ModelForm":
        """Provider and address filled in; empty when there is no such preset."""
        found = next((preset for preset in PRESETS if preset.name == name), None)
        return cls(provider=found.provider, base_url=found.base_url) if found else cls()


@transaction.atomic
def carry_out(user_id: UUID, workspace: WorkspaceCard, subject: Subject, form: ModelForm) -> None:
    """All of it or nothing; the new model is used from the next call on."""
    if not form.model or len(form.model) > MAX_MODEL_CHARS or has_forbidden_character(form.model):
        detail = f"A model's name has 1 to {MAX_MODEL_CHARS} characters."
        raise Refusal(ProblemCode.INVALID_PARAMETER, detail, {"field": "model"})
    rates = typed_prices.rates(asdict(form))
    if form.secret:
        if not workspace.role.covers(Role.OWNER):
            raise Refusal(ProblemCode.FORBIDDEN, "Only an owner of the workspace stores a key.")
        gateway.store_credential(workspace.id, form.provider, form.base_url, form.secret)
    model_id = gateway.add_model(workspace.id, form.spec)
    if rates:
        gateway.set_price(workspace.id, model_id, rates, user_id)
    gateway.bind(workspace.id, subject, model_id)
