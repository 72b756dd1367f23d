"""The form of a model: read, checked, and carried out in the order that leaves nothing half done."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from django.db import transaction

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.bindings import Subject
from api.rooms.gateway.services import ModelSpec
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import ProjectCard
from contracts.base import has_forbidden_character
from contracts.problem import ProblemCode
from contracts.vocabulary import Role

PROVIDER = "openai_compatible"
MICROS = 1_000_000
MAX_DOLLARS = 1_000_000
MAX_MODEL_CHARS = 200


@dataclass(frozen=True)
class ModelForm:
    """As it was typed. The secret is never shown again, not even to who has just typed it."""

    base_url: str = ""
    model: str = ""
    secret: str = ""
    price_in: str = ""
    price_out: str = ""

    @classmethod
    def read(cls, posted: Mapping[str, str]) -> "ModelForm":
        return cls(**{name: str(posted.get(name, "")).strip() for name in cls.__dataclass_fields__})


def _refuse(field: str, detail: str) -> Refusal:
    return Refusal(ProblemCode.INVALID_PARAMETER, detail, {"field": field})


@transaction.atomic
def carry_out(project: ProjectCard, subject: Subject, form: ModelForm) -> None:
    """All of it or nothing; the new model is used from the next call on."""
    if not form.model or len(form.model) > MAX_MODEL_CHARS or has_forbidden_character(form.model):
        raise _refuse("model", f"A model's name has 1 to {MAX_MODEL_CHARS} characters.")
    rates = _rates(form)
    workspace = project.workspace_id
    if form.secret:
        if not project.role.covers(Role.OWNER):
            raise Refusal(ProblemCode.FORBIDDEN, "Only an owner of the workspace stores a key.")
        gateway.store_credential(workspace, PROVIDER, form.base_url, form.secret)
    model_id = gateway.add_model(workspace, ModelSpec(PROVIDER, form.model, form.base_url))
    if rates:
        gateway.set_price(workspace, model_id, rates)
    gateway.bind(workspace, subject, model_id)


def _rates(form: ModelForm) -> Rates | None:
    if not form.price_in and not form.price_out:
        return None
    figure = _micros("price_in", form.price_in)
    return Rates(input=figure, cache_read=figure, cache_write=figure, output=_micros("price_out", form.price_out))


def _micros(field: str, text: str) -> int:
    """US dollars per million tokens, with a point or a comma, as micros."""
    try:
        dollars = Decimal(text.replace(",", "."))
    except InvalidOperation:
        raise _refuse(field, "A price is a number of US dollars per million tokens; give both or neither.") from None
    if not dollars.is_finite() or not 0 <= dollars <= MAX_DOLLARS:
        raise _refuse(field, "A price is not negative, and not beyond reason.")
    return int(dollars * MICROS)
