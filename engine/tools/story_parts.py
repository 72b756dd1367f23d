"""The parts of a story as a model is told of them; create_story and edit_story ask for the same."""

from typing import Any

LINES: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
PARTS: dict[str, Any] = {
    "title": {"type": "string", "description": "Short, and used by no other story."},
    "description": {"type": "string", "description": "As a …, I want …, so that …"},
    "functional_requirements": {**LINES, "description": "What the product does, one observable thing a line."},
    "nonfunctional_requirements": {**LINES, "description": "How well it does it."},
    "acceptance_criteria": {**LINES, "description": "Given …, when …, then …, one a line."},
    "test_scenarios": {**LINES, "description": "What a tester tries, one a line."},
    "definition_of_ready": {**LINES, "description": "What must be so before the work begins."},
    "definition_of_done": {**LINES, "description": "What must be so when the work is done."},
    "business_rules": {**LINES, "description": "Codes of the rules that it serves, such as R-1."},
}


def renamed(arguments: dict[str, Any]) -> dict[str, Any]:
    """`business_rules` is what a model understands; the contract says `rules`."""
    given = dict(arguments)
    if "business_rules" in given:
        given["rules"] = given.pop("business_rules")
    return given
