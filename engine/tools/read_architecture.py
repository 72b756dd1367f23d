"""`read_architecture`: modules by their names, and the stories whose place is open."""

from typing import Any

from contracts.limits import MAX_TOOL_LIST_BYTES
from contracts.routes.architecture import READ_ARCHITECTURE, ArchitectureAnswer, Pendency
from contracts.routes.model import ToolSpec
from engine.domain.tools import NO_PARAMETERS, Scope, Tool, ToolOutcome, succeeded

NAME = "read_architecture"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Read the architecture as it stands: the current module map with its version, the project's image, and the "
        "stories that have no module or one that is gone. It takes no arguments: {}"
    ),
    parameters=NO_PARAMETERS,
)


def told(answer: ArchitectureAnswer) -> str:
    """Names as they are written; what was left out is said."""
    if not answer.map_version:
        lines = ["There is no module map yet: make it with create_module_map."]
    else:
        lines = [f"Module map version {answer.map_version}:"]
    for module in answer.modules:
        needs = f"; needs {', '.join(module.depends_on)}" if module.depends_on else ""
        lines.append(f"  {module.name} ({module.stack}): {module.responsibility}{needs}")
    lines.append(f"The project's image: {answer.image or 'not chosen yet'}.")
    lines.append("A C4 diagram is there." if answer.has_c4 else "There is no C4 diagram yet.")
    lines.append(f"{answer.pendencies_total} stories whose place is open.")
    lines += [_pendency(each) for each in answer.pendencies]
    left_out = answer.pendencies_total - len(answer.pendencies)
    if left_out:
        lines.append(f"{left_out} more are not shown.")
    return "\n".join(lines)


def _pendency(pendency: Pendency) -> str:
    why = f"its module is gone: {', '.join(pendency.missing)}" if pendency.missing else "no module"
    return f"  {pendency.code} “{pendency.title}”: {why}"


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Arguments are of no use here, and of no harm."""
    del arguments
    return succeeded(told(await scope.ask(READ_ARCHITECTURE)), max_bytes=MAX_TOOL_LIST_BYTES)


TOOL = Tool(SPEC, run)
