"""`propose_adr`: a decision worth writing down; a person decides, and the turn goes on meanwhile."""

from typing import Any

from contracts.actions import Adr
from contracts.limits import MAX_MODULES
from contracts.routes.architecture import PROPOSE_ADR
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded

NAME = "propose_adr"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Propose an architecture decision record: Markdown with context, decision, alternatives, consequences. It "
        "becomes a pull request once a person approved it. `slug` names the file: lower case letters, digits, hyphens. "
        "`modules` are those that it concerns; none means all. Example: "
        '{"title": "One database for all modules", "slug": "one-database", "content": "## Context\\n…\\n## '
        'Decision\\n…", "modules": ["loans"], "is_security_relevant": false, "is_infra_relevant": true}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "slug": {"type": "string"},
            "content": {"type": "string"},
            "modules": {"type": "array", "items": {"type": "string"}, "maxItems": MAX_MODULES},
            "is_security_relevant": {"type": "boolean"},
            "is_infra_relevant": {"type": "boolean"},
        },
        "required": ["title", "slug", "content"],
    },
)


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Waiting for a person is no error; the outcome comes as a message of its own."""
    asked = read(Adr, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    waits = await scope.ask(PROPOSE_ADR, adr=asked)
    return succeeded(f"“{waits.title}” is waiting for approval. Go on; you are told what the person decides.")


TOOL = Tool(SPEC, run)
