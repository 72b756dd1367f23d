"""`create_c4_diagram`: Context and Container, derived from the current module map (RN-149)."""

from typing import Any

from contracts.architecture import SystemContext
from contracts.routes.architecture import DRAW_C4
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded

NAME = "create_c4_diagram"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Draw the product from outside and inside. You say what it is called and who or what stands around it; the "
        "modules come from the current module map, so make that first. Example: "
        '{"system_name": "Book exchange", "system_description": "Neighbours lend each other books.", "actors": '
        '[{"name": "Neighbour", "type": "person", "description": "Lends and borrows."}, {"name": "Mail", "type": '
        '"external_system", "description": "Sends reminders."}]}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "system_name": {"type": "string"},
            "system_description": {"type": "string"},
            "actors": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "type": {"type": "string", "enum": ["person", "external_system"]},
                        "description": {"type": "string"},
                    },
                    "required": ["name", "type"],
                },
            },
        },
        "required": ["system_name"],
    },
)


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    asked = read(SystemContext, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    drawn = await scope.ask(DRAW_C4, system=asked)
    return succeeded(f"Drew C4 version {drawn.version} from module map version {drawn.map_version}.")


TOOL = Tool(SPEC, run)
