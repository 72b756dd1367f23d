"""The UX Designer's part: one prototype whose screens follow the rules that were recorded."""

from dataclasses import dataclass

from api.rooms.gateway.domain.scripts import Entry
from api.rooms.gateway.providers.rehearsal import backlog_lists as lists
from api.rooms.gateway.providers.rehearsal.calls import call, of, short
from api.rooms.gateway.providers.rehearsal.conversation import Conversation
from contracts.vocabulary import Language

RULES, BACKLOG, PROPOSE = "list_business_rules", "list_backlog", "propose_prototype"
MAX_SCREENS = 5


@dataclass(frozen=True)
class Words:
    """Slots are filled with `format`."""

    summary: str
    persona: tuple[str, str, str]
    home: tuple[str, str]
    journey: str
    step: str
    go: str
    back: str
    screen: str
    answered: str


OF_LANGUAGE = {
    Language.ENGLISH: Words(
        summary="A first way through the product, screen by screen: one for each business rule that people meet.",
        persona=("A neighbour", "Get it done on the way, with one hand.", "Forms that ask for things twice."),
        home=("Home", "Everything that can be done, in the order in which it is needed."),
        journey="Do what the rules allow",
        step="Open “{title}” and see that it holds.",
        go="Go on",
        back="Back to the beginning",
        screen="Here people see: {title}. When it is not possible, the screen says why and what to do.",
        answered="You said: “{quote}”. Hand the work to me again, and I draw the prototype anew.",
    ),
    Language.PORTUGUESE: Words(
        summary="Um primeiro caminho pelo produto, tela por tela: uma para cada regra que as pessoas encontram.",
        persona=("Uma vizinha", "Resolver no caminho, com uma mão só.", "Formulários que perguntam duas vezes."),
        home=("Início", "Tudo o que se pode fazer, na ordem em que se precisa."),
        journey="Fazer o que as regras permitem",
        step="Abrir “{title}” e ver que vale.",
        go="Continuar",
        back="Voltar ao início",
        screen="Aqui se vê: {title}. Quando não é possível, a tela diz por quê e o que fazer.",
        answered="Você disse: “{quote}”. Passe o trabalho a mim de novo, e eu redesenho o protótipo.",
    ),
}


def perform(conversation: Conversation) -> Entry:
    """The next answer of the turn, by what its tools have answered so far."""
    words, fresh = OF_LANGUAGE[conversation.language], conversation.fresh
    if not conversation.is_harness_speaking and conversation.said:
        return Entry(text=words.answered.format(quote=short(conversation.said[-1].text)))
    if not of(fresh, RULES):
        return Entry(tool_calls=(call(RULES, {}), call(BACKLOG, {})))
    made = of(fresh, PROPOSE)
    if made:
        return Entry(text=made[-1].text)
    titles = [rule.title.rstrip(".") for rule in lists.rules_of(of(fresh, RULES)[-1].text)][:MAX_SCREENS]
    return Entry(tool_calls=(call(PROPOSE, _prototype(words, titles)),))


def _prototype(words: Words, titles: list[str]) -> dict[str, object]:
    name, goal, frustration = words.persona
    home, what = words.home
    links = [{"kind": "button", "label": title, "goes_to": title} for title in titles]
    steps = [words.step.format(title=each) for each in titles]
    screens: list[dict[str, object]] = [
        {"name": home, "description": what, "elements": [{"kind": "heading", "label": home}, *links]}
    ]
    screens += [_screen(words, title, home) for title in titles]
    return {
        "summary": words.summary,
        "personas": [{"name": name, "goal": goal, "frustration": frustration}],
        "journeys": [{"title": words.journey, "steps": steps or [words.go]}],
        "screens": screens,
    }


def _screen(words: Words, title: str, home: str) -> dict[str, object]:
    elements = [
        {"kind": "heading", "label": title},
        {"kind": "field", "label": title},
        {"kind": "button", "label": words.go, "goes_to": home},
        {"kind": "link", "label": words.back, "goes_to": home},
    ]
    return {"name": title, "description": words.screen.format(title=title), "elements": elements}
