"""The rehearsal plays the Architect: a map, a place for every story, decisions; within the ceiling."""

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
    "list_business_rules", "list_backlog", "read_architecture", "create_module_map", "assign_story_modules",
    "choose_project_image", "create_c4_diagram", "propose_adr", "emit_insight", "offer_handoff",
)  # fmt: skip
KICKOFF = "[harness] The person accepted the handoff, and the architecture is yours now."


@dataclass
class House:
    """The tools' side, as the api would answer."""

    stories: int
    language: str = "English"
    modules: list[dict[str, Any]] = field(default_factory=list)
    places: dict[str, list[str]] = field(default_factory=dict)
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    messages: list[ModelMessage] = field(default_factory=list)

    def hear(self, text: str, tools: tuple[str, ...] = NAMES) -> str:
        """One turn; its last text."""
        system = ModelMessage(
            role=MessageRole.SYSTEM, content=f"The project is called 'Feira'. Answer in {self.language}."
        )
        self.messages = self.messages or [system]
        self.messages.append(ModelMessage(role=MessageRole.USER, content=text))
        specs = tuple(ToolSpec(name=name, description="", parameters={}) for name in tools)
        for _ in range(ROSTER["architect"].ceiling):
            asked = ModelCall(
                epoch=1, turn_id=new_id(), step=1, messages=tuple(self.messages), tools=specs, max_output_tokens=500
            )
            entry = perform(asked)
            calls = tuple(
                ModelToolCall(id=f"c{len(self.messages)}_{number}", name=each.name, arguments=each.arguments)
                for number, each in enumerate(entry.tool_calls)
            )
            assert len(calls) <= 32
            told = ModelMessage(role=MessageRole.ASSISTANT, content=entry.text, tool_calls=calls)
            self.messages.append(told)
            for each in calls:
                answer = self._answer(each.name, json.loads(each.arguments))
                self.messages.append(ModelMessage(role=MessageRole.TOOL, content=answer, tool_call_id=each.id))
            if not calls:
                return entry.text
        raise AssertionError("the turn met its ceiling")

    def _answer(self, name: str, asked: dict[str, Any]) -> str:
        if name == "read_architecture":
            return self._read()
        if name == "create_module_map":
            self.modules = asked["modules"]
        elif name == "assign_story_modules":
            assert set(asked["modules"]) <= {module["name"] for module in self.modules}
            self.places[asked["story"]] = asked["modules"]
        else:
            self.kept[name] = asked
        return "Done."

    def _read(self) -> str:
        lines = [f"  {each['name']} (Python): {each['responsibility']}" for each in self.modules]
        head = "Module map version 1:" if lines else "There is no module map yet."
        open_ones = [f"S-{n}" for n in range(1, self.stories + 1) if f"S-{n}" not in self.places]
        image = self.kept.get("choose_project_image", {}).get("image", "not chosen yet")
        told = [f"The project's image: {image}.", f"{len(open_ones)} stories whose place is open."]
        return "\n".join([head, *lines, *told, *(f"  {code} “Story (1): two”: no module" for code in open_ones)])


WORDS = {"English": "waits for your approval", "Brazilian Portuguese": "espera a sua aprovação"}


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("stories", [0, 1, 5, 40])
def test_a_kickoff_ends_with_a_map_and_a_place_for_each_story(language: str, stories: int) -> None:
    house = House(stories, language)
    assert WORDS[language] in house.hear(KICKOFF)
    assert len(house.modules) == 3
    assert len(house.places) == min(stories, 26)
    assert house.kept["create_c4_diagram"]["system_name"] == "Feira"
    assert ("propose_adr" in house.kept) == bool(stories)


def test_asked_again_it_places_the_rest_and_then_has_nothing_to_add() -> None:
    house = House(30)
    house.hear(KICKOFF)
    house.hear("Go on.")
    assert len(house.places) == 30
    assert "Thank you" in house.hear("Thank you.")


@pytest.mark.parametrize(
    ("heard", "told"),
    [
        ("[harness] The person approved your proposal “One”. It is carried out.", "“One” is approved"),
        ("[harness] The person denied your proposal “One”, with this reason: Too early.\nTake it up.", "Too early."),
    ],
)
def test_a_decision_of_the_person_is_taken_up(heard: str, told: str) -> None:
    assert told in House(1).hear(heard)


def test_a_confirmed_architecture_is_summed_up_by_its_names() -> None:
    house = House(1)
    house.hear(KICKOFF)
    told = house.hear("[harness] The person confirmed the architecture (module map version 1).", ("read_architecture",))
    assert "pages, rules, records" in told
