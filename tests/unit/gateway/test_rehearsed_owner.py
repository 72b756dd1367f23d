"""The rehearsal plays the Product Owner: complete stories for what has none, within the ceiling, in both languages."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from api.rooms.gateway.providers.rehearsal.play import perform
from api.rooms.kernel.ids import new_id
from contracts.agents import ROSTER
from contracts.routes.model import ModelCall, ModelMessage, ModelToolCall, ToolSpec
from contracts.vocabulary import MessageRole

NAMES = (
    "list_business_rules", "list_backlog", "create_epic", "create_story", "edit_story", "create_task",
    "ask_structured_questions", "offer_handoff",
)  # fmt: skip
TOOLS = tuple(ToolSpec(name=name, description="", parameters={}) for name in NAMES)
KICKOFF = "[harness] The person accepted the product brief, and the backlog is yours now."
RETURNED = (
    "[harness] The person gave S-1 “First rule” back, and this comes before everything else. Their reason:\n"
    "Late people too.\nRead the story in list_backlog, change it with edit_story so that the reason is answered."
)


@dataclass
class House:
    """The tools' side, as the api would answer."""

    rules: list[str]
    language: str = "English"
    stories: dict[str, dict[str, Any]] = field(default_factory=dict)
    epics: list[str] = field(default_factory=list)
    tasks: list[dict[str, Any]] = field(default_factory=list)
    offers: int = 0
    calls: int = 0
    stale: bool = False
    messages: list[ModelMessage] = field(default_factory=list)

    def hear(self, text: str) -> str:
        """One turn; its last text."""
        system = ModelMessage(role=MessageRole.SYSTEM, content=f"Answer in {self.language}.")
        self.messages = self.messages or [system]
        self.messages.append(ModelMessage(role=MessageRole.USER, content=text))
        for self.calls in range(1, ROSTER["product_owner"].ceiling + 1):
            entry = perform(self._asked())
            named = enumerate(entry.tool_calls)
            calls = tuple(
                ModelToolCall(id=f"c{len(self.messages)}_{number}", name=each.name, arguments=each.arguments)
                for number, each in named
            )
            assert len(calls) <= 32
            told = ModelMessage(role=MessageRole.ASSISTANT, content=entry.text, tool_calls=calls)
            self.messages.append(told)
            for each in calls:
                answer = getattr(self, f"_{each.name}")(json.loads(each.arguments))
                self.messages.append(ModelMessage(role=MessageRole.TOOL, content=answer, tool_call_id=each.id))
            if not calls:
                return entry.text
        raise AssertionError("the turn met its ceiling")

    def _asked(self) -> ModelCall:
        return ModelCall(
            epoch=1, turn_id=new_id(), step=1, messages=tuple(self.messages), tools=TOOLS, max_output_tokens=500
        )

    def _list_business_rules(self, _: object) -> str:
        covered = {code: name for name, story in self.stories.items() for code in story["business_rules"]}
        lines = [
            f"R-{number} “{title}” [{covered.get(f'R-{number}', 'NO STORY')}]: It holds."
            for number, title in enumerate(self.rules, 1)
        ]
        return (
            "\n".join([f"{len(lines)} business rules.", *lines]) if lines else "The project has no business rules yet."
        )

    def _list_backlog(self, _: object) -> str:
        lines = [f"{len(self.epics)} epics."]
        for number, title in enumerate(self.epics, 1):
            lines.append(f"E{number} “{title}”")
            mine = [each for each in self.stories.items() if each[1]["epic"] == f"E{number}"]
            lines += [f"  {code} “{story['title']}” version {story['version']}, draft; R-1" for code, story in mine]
        return "\n".join(lines)

    def _create_epic(self, asked: dict[str, Any]) -> str:
        self.epics.append(asked["title"])
        return f"Made the epic E{len(self.epics)} “{asked['title']}”. Give it a story."

    def _create_story(self, asked: dict[str, Any]) -> str:
        code = f"S-{len(self.stories) + 1}"
        self.stories[code] = {**asked, "version": 1}
        return f"Made the story {code} “{asked['title']}”, version 1. It is complete and waits."

    def _edit_story(self, asked: dict[str, Any]) -> str:
        story = self.stories[asked["story"]]
        if self.stale:
            self.stale, story["version"] = False, 7
        if asked["version"] != story["version"]:
            return f"Not done: {asked['story']} is at version {story['version']}, and you read another."
        story.update(asked, version=story["version"] + 1)
        return f"Changed acceptance_criteria of {asked['story']} “{story['title']}”; it is at another version."

    def _create_task(self, asked: dict[str, Any]) -> str:
        self.tasks.append(asked)
        return f"Added the task T-{len(self.tasks)} “{asked['title']}” to {asked['story']}."

    def _offer_handoff(self, asked: dict[str, Any]) -> str:
        assert asked == {"to_agent": "architect"}
        self.offers += 1
        return "Offered to architect."


WORDS = {"English": "offered the work to the Architect", "Brazilian Portuguese": "Ofereci o trabalho ao Arquiteto"}


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("rules", [1, 3, 4, 7])
def test_each_rule_gets_a_complete_story_with_tasks_and_no_epic_stays_empty(language: str, rules: int) -> None:
    house = House([f"Rule number {number}" for number in range(rules)], language)
    assert WORDS[language] in house.hear(KICKOFF)
    assert sorted(code for story in house.stories.values() for code in story["business_rules"]) == [
        f"R-{number}" for number in range(1, rules + 1)
    ]
    for story in house.stories.values():
        parts = ("functional_requirements", "acceptance_criteria", "definition_of_ready", "definition_of_done")
        assert all(story[part] for part in parts)
    assert {story["epic"] for story in house.stories.values()} == {f"E{n}" for n in range(1, len(house.epics) + 1)}
    assert ({task["story"] for task in house.tasks}, house.offers) == (set(house.stories), 1)
    assert house.calls <= 6


def test_what_is_there_is_not_made_again() -> None:
    house = House(["First rule"])
    house.hear(KICKOFF)
    assert "added nothing" in house.hear(KICKOFF)
    assert (len(house.epics), len(house.stories), house.offers) == (1, 1, 1)
    house.rules.append("Second rule")
    house.hear("There is one more rule now.")
    assert (len(house.epics), list(house.stories)) == (1, ["S-1", "S-2"])


def test_a_person_is_answered() -> None:
    house = House(["First rule"])
    house.hear(KICKOFF)
    assert "You said: “What now?”" in house.hear("What now?")
    assert "no business rule yet" in House([]).hear("What now?")


@pytest.mark.parametrize("stale", [False, True])
def test_a_story_that_came_back_takes_the_reason_in(stale: bool) -> None:
    house = House(["First rule"])
    house.hear(KICKOFF)
    house.stale = stale
    assert "I took your reason into S-1" in house.hear(RETURNED)
    assert house.stories["S-1"]["acceptance_criteria"][0] == "Late people too."
