"""From the door to the decision, by rehearsal, in both languages."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrival
from tests.browser.person import Person


def reach_the_offer(person: Person) -> None:
    """Talk until rules stand, say that it is ready, and receive the brief and the offer."""
    person.open_session()
    expect(person.button(person.words.ready)).to_be_disabled()
    person.say(person.words.idea)
    expect(person.page.get_by_text(person.words.joined)).to_be_visible()
    person.say(person.words.rules)
    expect(person.page.locator(".wall-title")).not_to_have_count(0)
    person.button(person.words.ready).click()
    expect(person.entries("artifact.product_brief")).to_have_count(1)
    expect(person.entries("handoff.offered")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "pt-br"])
def test_an_idea_becomes_a_brief_and_the_brief_a_backlog(language: str, arrive: Arrival) -> None:
    person = arrive(language)
    reach_the_offer(person)
    person.button(person.words.accept).click()
    expect(person.entries("handoff.accepted")).to_have_count(1)
    expect(person.page.get_by_text(person.words.took_over)).to_be_visible()
    expect(person.page.get_by_text(person.words.offered_on)).to_be_visible()
    assert person.entries("backlog.story_created").count() == person.entries("artifact.business_rule").count()
    assert person.seqs() == list(range(1, len(person.seqs()) + 1))


@pytest.mark.parametrize("language", ["en", "pt-br"])
def test_an_offer_is_rejected_with_a_reason_that_the_agent_reads(language: str, arrive: Arrival) -> None:
    person = arrive(language)
    reach_the_offer(person)
    person.page.get_by_text(person.words.reject_fold).click()
    turns = person.entries("turn.ended").count()
    person.page.fill("textarea[name=reason]", person.words.reason)
    person.button(person.words.reject).click()
    expect(person.entries("handoff.rejected")).to_contain_text(person.words.reason)
    expect(person.entries("turn.ended")).to_have_count(turns + 1)
    expect(person.button(person.words.accept)).to_have_count(0)


def test_a_rule_leads_to_the_message_it_came_from_and_back(arrive: Arrival) -> None:
    person = arrive("en")
    person.open_session()
    person.say(person.words.idea)
    person.say(person.words.rules)
    origin = person.page.locator(".panel [data-goto]").nth(1)
    message = person.page.locator(f"#e-{origin.get_attribute('data-goto')}")
    origin.click()
    expect(message).to_be_focused()
    expect(message).to_contain_text("within 21 days")
    message.get_by_role("link", name="Rule 1").click()
    expect(person.entries("artifact.business_rule").first).to_be_focused()
