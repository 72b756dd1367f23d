"""The rehearsal reads well: it asks, records with real origins, does not repeat itself, and consolidates."""

import json

import pytest

from api.rooms.gateway.providers.rehearsal.play import perform
from api.rooms.kernel.ids import new_id
from contracts.routes.model import ModelCall, ModelMessage, ModelToolCall, ToolSpec
from contracts.vocabulary import MessageRole

EMIT = ToolSpec(name="emit_artifact", description="", parameters={})
ASK = ToolSpec(name="ask_structured_questions", description="", parameters={})
READY = "[harness] The person has said that the idea is ready. Write the consolidation now."
IDEAS = {
    "English": (
        "A bakery where neighbours order bread on Saturday",
        "Every neighbour can order until Saturday at eight. Nobody pays before picking up the bread.",
        "When somebody does not come twice, they must pay ahead.",
    ),
    "Brazilian Portuguese": (
        "Uma padaria em que os vizinhos encomendam pão no sábado",
        "Cada vizinho pode encomendar até sábado às oito. Ninguém paga antes de buscar o pão.",
        "Quando alguém não vem duas vezes, deve pagar adiantado.",
    ),
}


class Stage:
    """Plays both sides: a person who speaks and tools that answer."""

    def __init__(self, language: str) -> None:
        self.messages = [ModelMessage(role=MessageRole.SYSTEM, content=f"Answer in {language}.")]
        self.recorded: list[dict[str, object]] = []
        self.asked: list[dict[str, object]] = []
        self.seq = 2

    def say(self, text: str, tools: tuple[ToolSpec, ...] = (EMIT, ASK), refusal: str = "") -> str:
        """One turn; the last text in it."""
        self.seq += 10
        said = text if text.startswith("[harness]") else f"[{self.seq}] {text}"
        self.messages.append(ModelMessage(role=MessageRole.USER, content=said))
        for _ in range(6):
            entry = perform(self.call(tools))
            calls = tuple(
                ModelToolCall(id=f"c{len(self.messages)}_{number}", name=call.name, arguments=call.arguments)
                for number, call in enumerate(entry.tool_calls)
            )
            answer = ModelMessage(role=MessageRole.ASSISTANT, content=entry.text, tool_calls=calls)
            self.messages.append(answer)
            results = [self.run(call, refusal) for call in calls]
            if not results or "Asked" in results[-1]:
                return entry.text
        raise AssertionError("the turn did not end")

    def run(self, call: ModelToolCall, refusal: str) -> str:
        arguments = json.loads(call.arguments)
        if call.name == "emit_artifact" and not refusal:
            self.recorded.append(arguments["payload"])
            text = f"Stored: business_rule is event {self.seq}."
        elif call.name == "emit_artifact":
            text = refusal
        else:
            self.asked += arguments["questions"]
            text = "Asked 3 question(s); the answers come as the person's next message."
        self.messages.append(ModelMessage(role=MessageRole.TOOL, content=text, tool_call_id=call.id))
        return text

    def call(self, tools: tuple[ToolSpec, ...]) -> ModelCall:
        return ModelCall(
            epoch=1, turn_id=new_id(), step=1, messages=tuple(self.messages), tools=tools, max_output_tokens=500
        )


@pytest.mark.parametrize("language", IDEAS)
def test_a_whole_ideation_reads_well(language: str) -> None:
    stage, (idea, first, second) = Stage(language), IDEAS[language]
    assert idea in stage.say(idea)
    assert stage.recorded == []
    stage.say(first)
    assert [rule["origin"] for rule in stage.recorded] == [[22], [22]]
    assert len(stage.asked) == 3
    closing = stage.say(second)
    assert len(stage.recorded) == 3
    assert len(stage.asked) == 3
    assert ("botão" if language.startswith("B") else "button") in closing
    summary = stage.say(READY, tools=(EMIT,))
    assert idea in summary
    assert all(str(rule["title"]) in summary for rule in stage.recorded)
    assert len(stage.recorded) == 3


def test_an_answer_without_a_rule_is_asked_about_and_not_recorded() -> None:
    stage = Stage("English")
    stage.say(IDEAS["English"][0])
    stage.say("Hm, who knows?")
    assert stage.recorded == []


def test_a_duplicate_is_said_and_not_tried_again() -> None:
    stage = Stage("English")
    stage.say(IDEAS["English"][0])
    refusal = 'Not stored: this project has a rule with the title "X" already. Choose another.'
    stage.say("Every neighbour can order bread.", refusal=refusal)
    tried = [call for message in stage.messages for call in message.tool_calls if call.name == "emit_artifact"]
    texts = " ".join(message.content for message in stage.messages if message.role is MessageRole.ASSISTANT)
    assert len(tried) == 1
    assert "is a rule of this project already" in texts


def test_a_tool_that_keeps_failing_ends_in_words() -> None:
    stage = Stage("English")
    stage.say(IDEAS["English"][0])
    stage.say("Every neighbour can order bread.", refusal="Not stored: the payload is too odd. Try again.")
    texts = " ".join(message.content for message in stage.messages if message.role is MessageRole.ASSISTANT)
    assert "the payload is too odd." in texts


def test_without_tools_it_answers_as_an_assistant_that_says_what_it_is() -> None:
    stage = Stage("English")
    assert "rehearsal" in stage.say("What is a handoff in this place?", tools=())


def test_the_language_is_the_persons_where_the_prompt_says_none() -> None:
    stage = Stage("whatever they write")
    assert "Quem" in stage.say("Quero um aplicativo de caronas para a escola do bairro")


def test_the_same_conversation_gets_the_same_answer() -> None:
    stage = Stage("English")
    stage.say(IDEAS["English"][0])
    assert perform(stage.call((EMIT, ASK))) == perform(stage.call((EMIT, ASK)))
