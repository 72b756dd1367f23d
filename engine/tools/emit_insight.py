"""`emit_insight`: a tension that somebody should know of."""

from typing import Any

from contracts.artifacts import Insight
from contracts.routes.effects import EMIT_ARTIFACT
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded

NAME = "emit_insight"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Note a tension between the business rules and the architecture, or between two rules, that somebody should "
        'know of. It decides nothing. Example: {"title": "Two rules pull apart", "description": "R-2 wants everything '
        'visible, R-5 wants names hidden."}'
    ),
    parameters={
        "type": "object",
        "properties": {"title": {"type": "string"}, "description": {"type": "string"}},
        "required": ["title", "description"],
    },
)


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    asked = read(Insight, {name: value for name, value in arguments.items() if name != "type"})
    if isinstance(asked, ToolOutcome):
        return asked
    await scope.ask(EMIT_ARTIFACT, artifact=asked)
    return succeeded(f"Noted the insight “{asked.title}”.")


TOOL = Tool(SPEC, run)
