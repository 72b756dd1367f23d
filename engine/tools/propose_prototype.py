"""`propose_prototype`: personas, journeys and screens, once; it ends the turn."""

from typing import Any

from contracts.artifacts.prototype import NewPrototype
from contracts.routes.model import ToolSpec
from contracts.routes.work_items import PROPOSE_PROTOTYPE, PrototypeMade
from engine.domain.reading import read
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded

NAME = "propose_prototype"
TEXT: dict[str, Any] = {"type": "string"}
KINDS: list[Any] = ["heading", "text", "field", "button", "link", "list", "image"]
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Propose the prototype: for whom (`personas`), what they do (`journeys`), and the screens with what stands on "
        "them. An element with `goes_to` leads to the screen of that name. Call it once, with everything; it offers "
        "the "
        'work to those who go on with it, and ends your turn. Example: {"summary": "Neighbours lend books.", '
        '"personas": [{"name": "Ana", "goal": "Borrow a book today"}], "journeys": [{"title": "Borrow", "steps": '
        '["Search", "Ask"]}], "screens": [{"name": "Search", "description": "Books nearby.", "elements": [{"kind": '
        '"button", "label": "Ask", "goes_to": "Ask"}]}, {"name": "Ask", "description": "A question to a neighbour."}]}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "summary": TEXT,
            "personas": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {"name": TEXT, "goal": TEXT, "frustration": TEXT},
                    "required": ["name", "goal"],
                },
            },
            "journeys": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {"title": TEXT, "steps": {"type": "array", "items": TEXT}},
                    "required": ["title", "steps"],
                },
            },
            "screens": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {
                        "name": TEXT,
                        "description": TEXT,
                        "elements": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "properties": {
                                    "kind": {"type": "string", "enum": KINDS},
                                    "label": TEXT,
                                    "goes_to": TEXT,
                                },
                                "required": ["kind", "label"],
                            },
                        },
                    },
                    "required": ["name", "description"],
                },
            },
            "annotations": TEXT,
        },
        "required": ["summary", "personas", "journeys", "screens"],
    },
)


def told(made: PrototypeMade) -> str:
    """An offer that failed is said; the prototype stays."""
    parts = [f"The prototype is version {made.version}."]
    if made.offered:
        parts.append(f"Offered to {', '.join(made.offered)}.")
    parts += [f"Not offered to {each.agent}: {each.why}" for each in made.failed]
    return " ".join(parts)


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """One artifact and its offers, made once."""
    asked = read(NewPrototype, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    return succeeded(told(await scope.ask(PROPOSE_PROTOTYPE, prototype=asked)))


TOOL = Tool(SPEC, run)
