"""From an idea to a brief that is handed on, through the public API against real processes."""

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from api.rooms.gateway.providers.rehearsal.phrases import OF_LANGUAGE
from contracts.events import (
    AgentError,
    AgentResponse,
    BusinessRule,
    HandoffOffered,
    HandoffRejected,
    LogEvent,
    ProductBrief,
    StructuredQuestion,
    TurnEnded,
    TurnStarted,
)
from contracts.failures import ErrorCode, FailureOrigin
from contracts.vocabulary import Language, TurnStatus
from tests.chaos import director, oracle
from tests.chaos.campaign import Campaign
from tests.chaos.faults import CONTROL
from tests.chaos.ledger import Ledger
from tests.chaos.oracle import Evidence
from tests.chaos.story import is_settled
from tests.plugins.house import House
from tests.system.person import Person, Talk
from tests.system.verifying import verify_logs

SETTLE_SECONDS = 30.0
RUNNING_SECONDS = 15.0


@dataclass(frozen=True)
class Words:
    """What the person says, in one language."""

    idea: str
    rule: str
    answer: str
    more: str
    reason: str


WORDS = {
    Language.ENGLISH: Words(
        "I want a page where our street market announces who sells what",
        "A stand must be booked before Friday noon, or it is given to the next trader in line.",
        "The traders themselves",
        "Nobody may book more than two stands for the same Saturday.",
        "Say what happens when it rains.",
    ),
    Language.PORTUGUESE: Words(
        "Quero uma página em que a feira do bairro anuncie quem vende o quê",
        "A barraca deve ser reservada até sexta ao meio-dia, senão passa para a próxima pessoa da fila.",
        "Quem vende na feira",
        "Ninguém pode reservar mais de duas barracas para o mesmo sábado.",
        "Diga o que acontece quando chove.",
    ),
}


def settle(talk: Talk) -> None:
    """Wait until nothing runs and nothing waits."""
    talk.until(is_settled, SETTLE_SECONDS)


def to_the_offer(person: Person, language: Language) -> tuple[Talk, HandoffOffered]:
    """Everything up to the handoff that waits for the person."""
    words = WORDS[language]
    talk = person.open_session(person.create_project(language.value))
    talk.say(words.idea)
    settle(talk)
    talk.say(words.rule)
    settle(talk)
    answer_all(talk, words.answer)
    talk.say(words.more)
    settle(talk)
    person.act("POST", f"{talk.path}/readiness", {})
    settle(talk)
    offered = talk.of_type("handoff.offered")[-1].payload
    assert isinstance(offered, HandoffOffered)
    return talk, offered


def answer_all(talk: Talk, text: str) -> None:
    """Each question of the last set with its first option, or with `text`."""
    asked = talk.of_type("chat.structured_question")[-1]
    assert isinstance(asked.payload, StructuredQuestion)
    answers = {each.id: each.options[0] if each.options else text for each in asked.payload.questions}
    event = talk.person.act("POST", f"structured-question/{asked.id}/answer", {"answers": answers})["event"]
    assert event["payload"]["question_set_id"] == str(asked.id)
    settle(talk)


def judge(house: House, talk: Talk) -> list[str]:
    """Everything that the oracle says of a session that nothing has hurt."""
    talk.events.clear()
    sent = [getattr(e.payload, "client_message_id", "") for e in talk.read() if e.payload.type == "chat.message"]
    evidence = Evidence(talk.session_id, talk.events, sent)
    ledger = Ledger(house.plan.addresses.migration_database_url)
    return oracle.complaints(evidence) + oracle.chain_whole(ledger, evidence)


@pytest.mark.parametrize("language", list(Language))
def test_an_idea_becomes_a_brief_whose_every_rule_names_what_was_said(
    house: House, person: Person, language: Language
) -> None:
    """RN-061, RN-142, RN-162; accepted, the Product Owner makes a backlog of it, and a person promotes that."""
    talk, offered = to_the_offer(person, language)
    said = {event.seq for event in talk.of_type("chat.message")}
    rules = [event for event in talk.events if isinstance(event.payload, BusinessRule)]
    brief = talk.of_type("artifact.product_brief")[-1]
    questions = talk.of_type("chat.structured_question")[-1].payload
    assert rules
    assert all(set(rule.payload.origin) <= said for rule in rules if isinstance(rule.payload, BusinessRule))
    assert isinstance(brief.payload, ProductBrief)
    assert set(brief.payload.rules) == {rule.id for rule in rules}
    assert offered.artifact_event_id == brief.id
    assert isinstance(questions, StructuredQuestion)
    assert questions.questions[0].label == OF_LANGUAGE[language].form[0].label

    card = person.act("POST", f"handoffs/{offered.handoff_id}/accept")
    again = person.act("POST", f"handoffs/{offered.handoff_id}/accept")
    assert (card["status"], card["is_activation_owed"]) == ("accepted", False)
    assert again["decided_at"] == card["decided_at"]
    settle(talk)
    become_a_backlog(person, talk, {rule.payload.code for rule in rules if isinstance(rule.payload, BusinessRule)})
    become_an_architecture(person, talk)
    become_a_detailed_iteration(person, talk)
    become_a_prototype(person, talk)
    be_refined_by_talk(person, talk, language)
    assert judge(house, talk) == []


def become_an_architecture(person: Person, talk: Talk) -> None:
    """Every story has its module, a person decides on the record, and their confirmation hands over (RN-145)."""
    project = f"projects/{talk.project_id}"
    offered = talk.of_type("handoff.offered")[-1].payload
    assert isinstance(offered, HandoffOffered)
    person.act("POST", f"handoffs/{offered.handoff_id}/accept")
    settle(talk)
    made = person.act("GET", f"{project}/architecture")
    names = {module["name"] for module in made["modules"]}
    assert (len(names), made["pendencies"], made["map_version"]) == (3, [], 1)
    assert all(name in made["c4"]["containers"] for name in names)
    (waits,) = person.act("GET", f"{project}/actions")
    person.act("POST", f"actions/{waits['id']}/approve", {"content_sha256": waits["content_sha256"]})
    settle(talk)
    answer = talk.of_type("agent.response")[-1]
    assert (answer.actor.id, waits["title"] in getattr(answer.payload, "content", "")) == ("architect", True)
    person.act("POST", f"{project}/architecture/confirm", {"map_version": 1})
    settle(talk)
    talk.until(lambda _: getattr(talk.of_type("handoff.offered")[-1].payload, "to_agent", "") == "infra_lead")
    handed = talk.of_type("handoff.offered")[-1].payload
    assert getattr(handed, "artifact_event_id", None) == talk.of_type("artifact.module_map")[-1].id


def become_a_detailed_iteration(person: Person, talk: Talk) -> None:
    """Stories without tasks are detailed in one batch, each once; those that have some are left as they are."""
    project = f"projects/{talk.project_id}"
    stories = [story["code"] for epic in person.act("GET", f"{project}/backlog")["epics"] for story in epic["stories"]]
    first = person.act("GET", f"{project}/stories/{stories[0]}")
    for task in first["tasks"]:
        person.act("DELETE", f"{project}/tasks/{task['code']}")
    plan = {"title": "First", "capacity": 3}
    made = person.act("POST", f"{project}/iterations", plan)["iteration"]
    path = f"{project}/iterations/{made['code']}"
    person.act("PUT", path, {"version": made["version"], **plan, "stories": stories})
    batch = person.act("POST", f"{path}/detail")["batch"]
    assert [each["code"] for each in batch["stories"]] == [stories[0]]
    talk.until(lambda _: person.act("GET", path)["batch"]["is_finished"])
    detailed = person.act("GET", f"{project}/stories/{stories[0]}")
    assert len(detailed["tasks"]) > 2
    assert all(task["domain"] for task in detailed["tasks"])
    assert {task["code"] for task in detailed["tasks"]}.isdisjoint(task["code"] for task in first["tasks"])


def become_a_prototype(person: Person, talk: Talk) -> None:
    """A person hands the work to the UX Designer, who draws once and offers it to two."""
    card = person.act("POST", f"sessions/{talk.session_id}/hand-to", {"to_agent": "ux_designer"})
    assert (card["status"], card["from_agent"]) == ("accepted", "person")
    settle(talk)
    assert len(talk.of_type("artifact.navigable_prototype")) == 1
    offered = [getattr(event.payload, "to_agent", "") for event in talk.of_type("handoff.offered")[-2:]]
    assert offered == ["product_owner", "dev_lead"]


def be_refined_by_talk(person: Person, talk: Talk, language: Language) -> None:
    """A story that has tasks is shown what replacing them means, and replaced only after a yes."""
    person.act("POST", f"sessions/{talk.session_id}/hand-to", {"to_agent": "story_editor", "epic": "E1"})
    settle(talk)
    project = f"projects/{talk.project_id}"
    epic = person.act("GET", f"{project}/backlog")["epics"][0]
    story = epic["stories"][0]
    talk.say(story["content"]["title"])
    settle(talk)
    before = person.act("GET", f"{project}/stories/{story['code']}")
    assert [task["code"] for task in before["tasks"]] == [task["code"] for task in story["tasks"]]
    talk.say({Language.ENGLISH: "Yes", Language.PORTUGUESE: "Sim"}[language])
    settle(talk)
    after = person.act("GET", f"{project}/stories/{story['code']}")
    assert {task["code"] for task in after["tasks"]}.isdisjoint(task["code"] for task in before["tasks"])
    assert person.act("GET", f"{project}/resolutions")["resolved"] == 1


def become_a_backlog(person: Person, talk: Talk, rules: set[str | None]) -> None:
    """Every rule has a story, no epic is empty, and what a person gives back comes again (RN-048, RN-165)."""
    project = f"projects/{talk.project_id}"
    coverage = person.act("GET", f"{project}/coverage")
    assert (coverage["rules_without_story"], coverage["stories_without_rule"]) == ([], [])
    backlog = person.act("GET", f"{project}/backlog")
    stories = [story for epic in backlog["epics"] for story in epic["stories"]]
    assert {rule for story in stories for rule in story["content"]["rules"]} == rules
    assert all(epic["stories"] for epic in backlog["epics"])
    assert all(story["is_proposed"] and story["tasks"] for story in stories)
    talk.until(lambda _: talk.of_type("handoff.completed"))
    assert talk.of_type("handoff.offered")[-1].payload.to_agent == "architect"  # type: ignore[union-attr]

    first, *others = [story["code"] for story in stories]
    person.act("POST", f"{project}/stories/{first}/return", {"reason": "Say what happens when it rains."})
    settle(talk)
    changed = person.act("GET", f"{project}/stories/{first}")
    assert (changed["version"], changed["is_proposed"], changed["returned_reason"]) == (2, True, "")
    assert "Say what happens when it rains." in changed["content"]["acceptance_criteria"]
    promoted = person.act("POST", f"{project}/promotions", {"stories": [first, *others, "S-999"]})
    assert (promoted["promoted"], [each["code"] for each in promoted["failed"]]) == ([first, *others], ["S-999"])


@pytest.mark.parametrize("language", list(Language))
def test_a_rejected_brief_wakes_the_creative_with_the_reason(house: House, person: Person, language: Language) -> None:
    """The same decision again answers the first; the opposite is refused by name."""
    talk, offered = to_the_offer(person, language)
    reason = WORDS[language].reason
    person.act("POST", f"handoffs/{offered.handoff_id}/reject", {"reason": reason})
    opposite = person.ask("POST", f"handoffs/{offered.handoff_id}/accept")
    settle(talk)
    rejected = talk.of_type("handoff.rejected")[-1]
    turn = talk.of_type("turn.started")[-1].payload
    answer = talk.of_type("agent.response")[-1].payload
    assert isinstance(rejected.payload, HandoffRejected)
    assert isinstance(turn, TurnStarted)
    assert isinstance(answer, AgentResponse)
    assert (rejected.payload.reason, rejected.to_agent) == (reason, "creative")
    assert turn.taken == (rejected.seq,)
    assert answer.turn_id == turn.turn_id
    assert (opposite.status_code, opposite.json()["code"]) == (409, "already_decided")
    assert judge(house, talk) == []


def test_a_consultative_session_is_answered_by_the_assistant_metered_and_with_its_model_named(
    house: House, person: Person
) -> None:
    """RN-123: its model sees the whole conversation, and the call is in the project's spend."""
    house.models.otherwise = director.answer
    talk = person.open_session(person.create_project(), "consultative")
    model = f"model-{talk.session_id}"
    talk.bind(house.models.url, model)
    for text in ("What is a market?", "And a fair?"):
        talk.say(text)
        settle(talk)
    answers = [(e.actor.id, e.payload.bill) for e in talk.events if isinstance(e.payload, AgentResponse)]
    bodies = [request.body for request in house.models.requests if request.body["model"] == model]
    spend = person.act("GET", f"projects/{talk.project_id}/spend")
    assert [(agent, bill.model if bill else None) for agent, bill in answers] == [("assistant", model)] * 2
    assert [message["role"] for message in bodies[-1]["messages"]] == ["system", "user", "assistant", "user"]
    assert (spend["total"]["calls"], spend["by_agent"][0]["label"]) == (2, "assistant")
    assert spend["total"]["cost_micros"] == 2 * (300 * 1 + 60 * 4)
    assert judge(house, talk) == []


def test_stop_keeps_what_was_said_and_continue_goes_on(house: House, person: Person) -> None:
    """The partial answer is in the log, and marked as such."""
    house.models.otherwise = director.answer
    talk = person.open_session(person.create_project())
    model = f"model-{talk.session_id}"
    talk.bind(house.models.url, model)
    talk.say("we want a street market")
    house.models.wait_for(
        lambda seen: any(each.body["model"] == model and _is_speaking(each.pieces_sent) for each in seen),
        RUNNING_SECONDS,
    )
    talk.stop()
    talk.until(_has("turn.stop_receipt"))
    partial = talk.of_type("agent.response")[-1].payload
    ended = talk.of_type("turn.ended")[-1].payload
    assert isinstance(partial, AgentResponse)
    assert isinstance(ended, TurnEnded)
    assert partial.is_partial
    assert director.spoken("we want a street market").startswith(partial.content)
    assert ended.status is TurnStatus.STOPPED
    person.act("POST", f"{talk.path}/continue", {})
    settle(talk)
    last = talk.of_type("turn.ended")[-1].payload
    assert isinstance(last, TurnEnded)
    assert last.status is TurnStatus.COMPLETED


def test_a_budget_refuses_before_the_call_and_says_what_is_missing(house: House, person: Person) -> None:
    """F11: origin policy, no call at the provider; raised, the same conversation goes on."""
    house.models.otherwise = director.answer
    talk = person.open_session(person.create_project())
    model = f"model-{talk.session_id}"
    talk.bind(house.models.url, model)
    person.act("PUT", f"{talk.path}/budget", {"limit_micros": 100})
    talk.say("we want a street market")
    settle(talk)
    refused = talk.of_type("agent.error")[-1].payload
    assert isinstance(refused, AgentError)
    assert (refused.origin, refused.code) == (FailureOrigin.POLICY, ErrorCode.BUDGET_EXCEEDED)
    assert (refused.facts["node"], refused.facts["left_micros"]) == ("session", "100")
    assert [request for request in house.models.requests if request.body["model"] == model] == []
    person.act("PUT", f"{talk.path}/budget", {"limit_micros": None})
    talk.say("and now?")
    settle(talk)
    assert talk.of_type("agent.response")


def test_the_whole_story_through_a_model_server_leaves_nothing_to_complain_of(house: House) -> None:
    """The same oracle that judges a hurt house, on one that nothing hurts."""
    assert Campaign(house, seed=random.randrange(2**32)).play(CONTROL, stories=1) == []


def test_every_log_is_whole_at_the_end(house: House, person: Person) -> None:
    """The operator's own command, over all sessions of the house."""
    person.open_session(person.create_project())
    assert "are whole" in verify_logs(house)


def _is_speaking(pieces_sent: int) -> bool:
    return 5 < pieces_sent < director.WORDS


def _has(event_type: str) -> Callable[[list[LogEvent]], bool]:
    return lambda events: any(event.payload.type == event_type for event in events)
