"""A contract changes only in the open, and only by widening."""

import json

import pytest
from pydantic import BaseModel

from tests.contract.compatibility import Schema, narrowings
from tests.contract.golden import FOLDER, models, schema_text


@pytest.mark.parametrize(("name", "model"), list(models()))
def test_a_contract_equals_its_golden_schema(name: str, model: type[BaseModel]) -> None:
    assert (FOLDER / f"{name}.json").read_text() == schema_text(model), "run `make wire` and read the difference"


def test_no_golden_schema_is_left_of_a_contract_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == {name for name, _ in models()}


OLD: Schema = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 10},
        "kind": {"enum": ["a", "b"]},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["name"],
}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"properties": {"kind": OLD["properties"]["kind"], "note": OLD["properties"]["note"]}}, "$.name: removed"),
        ({"required": ["name", "kind"]}, "$.kind: newly required"),
        (
            {"properties": {**OLD["properties"], "name": {"type": "string", "maxLength": 5}}},
            "$.name: maxLength fell to 5",
        ),
        ({"properties": {**OLD["properties"], "name": {"type": "integer"}}}, "$.name: was string, is integer"),
        ({"properties": {**OLD["properties"], "kind": {"enum": ["a"]}}}, "$.kind: b is no longer accepted"),
        (
            {"properties": {**OLD["properties"], "note": {"type": "string"}}},
            "$.note: an alternative is no longer accepted (null)",
        ),
    ],
)
def test_a_removed_or_narrowed_field_is_found(change: Schema, complaint: str) -> None:
    assert narrowings(OLD, {**OLD, **change}) == [complaint]


def test_a_new_optional_field_is_no_narrowing() -> None:
    wider = json.loads(json.dumps(OLD))
    wider["properties"]["extra"] = {"type": "string"}
    assert narrowings(OLD, wider) == []
