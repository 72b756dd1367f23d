"""For everyone, in a conversation that goes on: by keyboard alone, read aloud without noise, on a narrow phone."""

from playwright.sync_api import expect

from tests.browser.conftest import Arrival
from tests.browser.person import Person
from tests.browser.reach import PHONE

RECORD_ANNOUNCEMENTS = """() => {
  window.heard = [];
  const region = document.querySelector("[data-announcer]");
  new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true });
}"""


def session(person: Person) -> None:
    person.open_session()
    person.say(person.words.idea)
    person.say(person.words.rules)


def test_on_a_phone_the_rules_are_a_drawer(arrive: Arrival) -> None:
    person = arrive("en", width=PHONE)
    session(person)
    rules = person.page.locator("#panel")
    expect(rules).not_to_be_visible()
    person.page.locator("[data-panel-open]").click()
    expect(rules).to_be_visible()
    person.page.keyboard.press("Escape")
    expect(rules).not_to_be_visible()
    expect(person.page.locator("[data-panel-open]")).to_be_focused()


def test_a_reply_is_announced_at_most_three_times(arrive: Arrival) -> None:
    person = arrive("en")
    person.open_session()
    person.page.evaluate(RECORD_ANNOUNCEMENTS)
    person.say(person.words.idea)
    expect(person.page.locator("[data-announcer]")).to_have_text(person.words.answered)
    assert person.page.evaluate("window.heard") == [person.words.answering, person.words.answered]


def test_the_keyboard_is_enough(arrive: Arrival) -> None:
    """From the door to a rule's message without touching a mouse."""
    person = arrive("en", is_signed_in=False)
    page = person.page
    page.goto("/login/")
    expect(page.locator("#username")).to_be_focused()
    page.keyboard.type(person._email)
    page.keyboard.press("Tab")
    page.keyboard.type(person._password)
    page.keyboard.press("Enter")
    page.wait_for_url("**/projects/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    person.open_session()
    for number, text in enumerate((person.words.idea, person.words.rules), start=1):
        page.locator("#text").focus()
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(person.entries("turn.ended")).to_have_count(number)
    page.locator(".wall-title").first.focus()
    page.keyboard.press("Enter")
    expect(person.entries("artifact.business_rule").first).to_be_focused()


def test_who_reads_further_up_is_not_pulled_down(arrive: Arrival) -> None:
    person = arrive("en")
    session(person)
    page = person.page
    page.evaluate("scrollTo(0, 0)")
    page.locator("#text").evaluate("box => { box.value = 'One more thing about the books.' }")
    page.evaluate("document.querySelector('[data-composer]').requestSubmit()")
    expect(person.entries("chat.message")).to_have_count(3)
    page.evaluate("scrollTo(0, 0)")
    expect(person.entries("turn.ended")).to_have_count(3)
    assert page.evaluate("scrollY") == 0
    expect(page.locator("[data-pill]")).to_be_visible()
    page.locator("[data-pill]").click()
    expect(page.locator("[data-pill]")).not_to_be_visible()
