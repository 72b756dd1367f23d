"""`list_business_rules`: all rules of the project, those that no story covers first (RN-164)."""

from typing import Any

from contracts.limits import MAX_TOOL_LIST_BYTES
from contracts.routes.backlog import LIST_RULES, RuleLine, RulesAnswer
from contracts.routes.model import ToolSpec
from engine.domain.tools import NO_PARAMETERS, Scope, Tool, ToolOutcome, succeeded

NAME = "list_business_rules"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Read all business rules of the project with the stories that cite each; those without a story come first. "
        "It takes no arguments: {}"
    ),
    parameters=NO_PARAMETERS,
)


def told(answer: RulesAnswer) -> str:
    """The totals first, then a rule a line; what was left out is said."""
    if not answer.rules:
        return "The project has no business rules yet."
    left_out = answer.total - len(answer.rules)
    lines = [f"{answer.total} business rules, {answer.uncovered} of them without a story.", *map(_line, answer.rules)]
    if left_out:
        lines.append(f"{left_out} more rules are not shown, all after these.")
    return "\n".join(lines)


def _line(rule: RuleLine) -> str:
    stories = ", ".join(rule.stories) or "NO STORY"
    return f"{rule.code} “{rule.title}” [{stories}]: {rule.description}"


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Arguments are of no use here, and of no harm."""
    del arguments
    return succeeded(told(await scope.ask(LIST_RULES)), max_bytes=MAX_TOOL_LIST_BYTES)


TOOL = Tool(SPEC, run)
