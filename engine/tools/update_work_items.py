"""`update_work_items`: add, change, order and remove in the epic of the conversation, all of it or nothing."""

from typing import Any

from contracts.base import Message
from contracts.detailing import Domain
from contracts.failures import ErrorCode
from contracts.limits import MAX_OPERATIONS, MAX_TOOL_LIST_BYTES
from contracts.routes.model import ToolSpec
from contracts.routes.work_items import UPDATE_WORK_ITEMS
from contracts.work_items import Operations
from engine.domain.reading import read
from engine.domain.scopes import epic_in
from engine.domain.tools import Scope, Tool, ToolOutcome, failed, succeeded
from engine.tools.get_work_items import NO_EPIC
from engine.tools.story_parts import PARTS, renamed

NAME = "update_work_items"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Change stories and tasks of this epic, point by point. All operations happen, or none. `op` is add_story "
        "(content), edit_story (story, version, changes), add_task (story, title, description, domain), edit_task "
        "(task, version, title, description, domain), remove_task (task) or order_tasks (story, tasks: all of them in "
        "order). Give the versions that you read; what a person wrote by hand is refused. To write all tasks of a "
        "story anew use "
        'refine_story_tasks. Example: {"operations": [{"op": "add_task", "story": "S-3", "title": "Show the due date", '
        '"description": "In the list.", "domain": "frontend"}, {"op": "remove_task", "task": "T-9"}]}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "operations": {
                "type": "array",
                "minItems": 1,
                "maxItems": MAX_OPERATIONS,
                "items": {
                    "type": "object",
                    "properties": {
                        "op": {
                            "type": "string",
                            "enum": ["add_story", "edit_story", "add_task", "edit_task", "remove_task", "order_tasks"],
                        },
                        "story": {"type": "string"},
                        "task": {"type": "string"},
                        "version": {"type": "integer", "minimum": 1},
                        "title": {"type": "string"},
                        "description": {"type": "string"},
                        "domain": {"type": "string", "enum": [each.value for each in Domain]},
                        "tasks": {"type": "array", "items": {"type": "string"}},
                        "content": {"type": "object", "properties": PARTS},
                        "changes": {"type": "object", "properties": PARTS},
                    },
                    "required": ["op"],
                },
            }
        },
        "required": ["operations"],
    },
)


class Update(Message):
    operations: Operations


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """What was done, operation by operation."""
    epic = epic_in(scope.history)
    if epic is None:
        return failed(ErrorCode.INVALID_TOOL_ARGUMENTS, NO_EPIC)
    asked = read(Update, {"operations": _renamed(arguments.get("operations"))})
    if isinstance(asked, ToolOutcome):
        return asked
    done = await scope.ask(UPDATE_WORK_ITEMS, epic=epic, operations=asked.operations)
    return succeeded("\n".join(done.done), max_bytes=MAX_TOOL_LIST_BYTES)


def _renamed(operations: Any) -> Any:
    """`business_rules` is what models call a story's rules."""
    if not isinstance(operations, list):
        return operations
    return [_with_rules(each) if isinstance(each, dict) else each for each in operations]


def _with_rules(operation: dict[str, Any]) -> dict[str, Any]:
    parts = {name: renamed(value) for name, value in operation.items() if isinstance(value, dict)}
    return {**operation, **parts}


TOOL = Tool(SPEC, run)
