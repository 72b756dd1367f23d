"""`choose_project_image`: the container image that the project's commands run in (RN-105)."""

from typing import Any

from contracts.architecture import Image
from contracts.limits import MAX_CPUS, MAX_MEMORY_MB, MAX_PIDS
from contracts.routes.architecture import CHOOSE_IMAGE
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded

NAME = "choose_project_image"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Choose the container image in which the project is built and tested, by an explicit tag or a sha256 digest; "
        "`latest` is refused. `network` is none or egress. Say in `rationale` why this one. Example: "
        '{"image": "python:3.13-slim", "rationale": "Small, and has what the modules need.", "network": "none", '
        '"resources": {"cpus": 2, "memory_mb": 4096, "pids": 512}}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "image": {"type": "string"},
            "rationale": {"type": "string"},
            "network": {"type": "string", "enum": ["none", "egress"]},
            "resources": {
                "type": "object",
                "properties": {
                    "cpus": {"type": "integer", "minimum": 1, "maximum": MAX_CPUS},
                    "memory_mb": {"type": "integer", "minimum": 64, "maximum": MAX_MEMORY_MB},
                    "pids": {"type": "integer", "minimum": 16, "maximum": MAX_PIDS},
                },
            },
        },
        "required": ["image", "rationale"],
    },
)


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """More than the most is an error and not less."""
    asked = read(Image, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    chosen = await scope.ask(CHOOSE_IMAGE, image=asked)
    return succeeded(f"The project's image is {chosen.image} now (version {chosen.version}).")


TOOL = Tool(SPEC, run)
