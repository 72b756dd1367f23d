"""`create_module_map`: the modules that the product is built from (RN-013, RN-065)."""

from typing import Annotated, Any

from pydantic import Field

from contracts.architecture import NewModule
from contracts.artifacts.architecture import Version
from contracts.base import Message
from contracts.limits import MAX_MODULES
from contracts.routes.architecture import CREATE_MODULE_MAP
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded

NAME = "create_module_map"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Fix the modules of the product. Dependencies name modules of this map and never lead back in a circle. "
        "The answer repeats the names as they are kept; use exactly those from then on. Where this session made a map "
        "already, give `replaces`, its version. Ready stories whose module is gone become drafts again. Example: "
        '{"modules": [{"name": "loans", "stack": "Python, Django", "responsibility": "Who has which book, and until '
        'when.", "depends_on": ["people"]}, {"name": "people", "stack": "Python, Django", "responsibility": "Accounts '
        'and rights."}]}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "modules": {
                "type": "array",
                "minItems": 1,
                "maxItems": MAX_MODULES,
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "description": "Lower case letters, digits and hyphens."},
                        "stack": {"type": "string"},
                        "responsibility": {"type": "string"},
                        "depends_on": {"type": "array", "items": {"type": "string"}},
                    },
                    "required": ["name", "stack", "responsibility"],
                },
            },
            "replaces": {"type": "integer", "minimum": 1},
        },
        "required": ["modules"],
    },
)


class Mapped(Message):
    modules: Annotated[tuple[NewModule, ...], Field(min_length=1, max_length=MAX_MODULES)]
    replaces: Version | None = None


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Names what was demoted, so that the model can tell the person."""
    asked = read(Mapped, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    made = await scope.ask(CREATE_MODULE_MAP, modules=asked.modules, replaces=asked.replaces)
    names = ", ".join(module.name for module in made.modules)
    told = f"Made module map version {made.version}. The modules are: {names}."
    if made.demoted:
        demoted = ", ".join(f"{each.code} “{each.title}”" for each in made.demoted)
        told += f" Drafts again, because their module is gone: {demoted}. Assign their modules anew."
    return succeeded(told)


TOOL = Tool(SPEC, run)
