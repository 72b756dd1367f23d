"""What may never happen to a published JSON schema: a field removed, narrowed, or newly required."""

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

LOWER_BOUNDS = ("minLength", "minItems", "minimum", "exclusiveMinimum", "minProperties")
UPPER_BOUNDS = ("maxLength", "maxItems", "maximum", "exclusiveMaximum", "maxProperties")


def narrowings(old: Schema, new: Schema) -> list[str]:
    """Each place where something that was valid before is refused now, or something promised is gone."""
    return list(_compare(old, new, old, new, "$"))


def _resolve(schema: Schema, root: Schema) -> Schema:
    reference = schema.get("$ref")
    if reference is None:
        return schema
    found: Schema = root["$defs"][reference.rsplit("/", 1)[1]]
    return found


def _compare(old: Schema, new: Schema, old_root: Schema, new_root: Schema, where: str) -> Iterator[str]:
    old, new = _resolve(old, old_root), _resolve(new, new_root)
    yield from _values(old, new, where)
    yield from _bounds(old, new, where)
    yield from _fields(old, new, old_root, new_root, where)
    if "items" in old and "items" in new:
        yield from _compare(old["items"], new["items"], old_root, new_root, f"{where}[]")
    for kind in ("anyOf", "oneOf"):
        if kind in old:
            yield from _alternatives(old[kind], new.get(kind, [new]), old_root, new_root, where)


def _values(old: Schema, new: Schema, where: str) -> Iterator[str]:
    if "type" in old and "type" in new and old["type"] != new["type"]:
        yield f"{where}: was {old['type']}, is {new['type']}"
    if "enum" in old and "enum" in new:
        for value in sorted(set(old["enum"]) - set(new["enum"])):
            yield f"{where}: {value} is no longer accepted"
    if "const" in old and new.get("const") != old["const"]:
        yield f"{where}: was always {old['const']}"
    if "pattern" in new and new["pattern"] != old.get("pattern"):
        yield f"{where}: the pattern changed"


def _bounds(old: Schema, new: Schema, where: str) -> Iterator[str]:
    for name in LOWER_BOUNDS:
        if name in new and new[name] > old.get(name, float("-inf")):
            yield f"{where}: {name} rose to {new[name]}"
    for name in UPPER_BOUNDS:
        if name in new and new[name] < old.get(name, float("inf")):
            yield f"{where}: {name} fell to {new[name]}"


def _fields(old: Schema, new: Schema, old_root: Schema, new_root: Schema, where: str) -> Iterator[str]:
    old_fields, new_fields = old.get("properties", {}), new.get("properties", {})
    for name, schema in old_fields.items():
        if name in new_fields:
            yield from _compare(schema, new_fields[name], old_root, new_root, f"{where}.{name}")
        else:
            yield f"{where}.{name}: removed"
    for name in sorted(set(new.get("required", [])) - set(old.get("required", []))):
        yield f"{where}.{name}: newly required"


def _alternatives(
    old: list[Schema], new: list[Schema], old_root: Schema, new_root: Schema, where: str
) -> Iterator[str]:
    for schema in old:
        if not any(not list(_compare(schema, other, old_root, new_root, where)) for other in new):
            yield f"{where}: an alternative is no longer accepted ({_name(schema)})"


def _name(schema: Schema) -> str:
    return str(schema.get("$ref", schema.get("type", "?"))).rsplit("/", 1)[-1]
