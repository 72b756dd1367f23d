"""A backlog in both languages: complete and incomplete stories, one ready, one given back, an epic and rules alone."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.backlog import filters, selectors
from api.rooms.backlog import services as backlog
from contracts.backlog import StoryChanges, StoryContent
from contracts.detailing import Domain
from contracts.vocabulary import Language


@dataclass(frozen=True)
class Told:
    epics: tuple[str, str]
    titles: tuple[str, str, str, str]
    functional: str
    criterion: str
    ready: str
    done: str
    tasks: tuple[str, str]
    reason: str
    description: str
    filter: str
    reworded: str


TOLD = {
    Language.ENGLISH: Told(
        ("Lending a book", "When something goes wrong"),
        (
            "Ask a neighbour for a book",
            "See who has my books, and since when, on a page that also opens on an old phone",
            "Give a book back",
            "Say that a book is lost",
        ),
        "The neighbour sees the request on the same day.",
        "Given a book that is at home, when a neighbour asks for it, then its owner is asked.",
        "The rule is agreed on with two owners.",
        "It was tried out by a neighbour over seventy.",
        ("A form with the title and the wish", "A list of open requests"),
        "Say what happens while the owner is away.",
        "Most books stay at home, so a request is a **question to a person**, not an order.",
        "Waits for me",
        "A book is lent from one person to another, for three weeks, and everybody can see with whom it is.",
    ),
    Language.PORTUGUESE: Told(
        ("Emprestar um livro", "Quando algo dá errado"),
        (
            "Pedir um livro a quem mora perto",
            "Ver com quem estão meus livros, e desde quando, numa página que também abra em celular antigo",
            "Devolver um livro",
            "Avisar que um livro se perdeu",
        ),
        "A pessoa vê o pedido no mesmo dia.",
        "Dado um livro que está em casa, quando alguém pede, então a dona do livro é consultada.",
        "A regra foi combinada com duas pessoas que emprestam.",
        "Uma pessoa com mais de setenta anos experimentou.",
        ("Um formulário com o título e o desejo", "Uma lista dos pedidos em aberto"),
        "Diga o que acontece enquanto a dona do livro viaja.",
        "A maioria dos livros fica em casa, então um pedido é uma **pergunta a uma pessoa**, não uma ordem.",
        "Esperam por mim",
        "Um livro passa de uma pessoa a outra por três semanas, e todo mundo pode ver com quem ele está.",
    ),
}


def plan(project: UUID, session: UUID, person: UUID, language: Language) -> None:
    """Under the rules that the conversation recorded."""
    told, writer = TOLD[language], backlog.Writer(session, project, user_actor(person))
    codes = tuple(rule.code for rule in selectors.rules(project))[:1]
    with transaction.atomic():
        for title in told.epics:
            backlog.create_epic(writer, title)
        for title in told.titles[:3]:
            backlog.create_story(writer, "E1", _complete(told, title, codes))
        backlog.create_story(writer, "E1", StoryContent(title=told.titles[3], description=told.description))
        for title in told.tasks:
            backlog.create_task(writer, "S-1", title)
    backlog.promote(project, person, ["S-2"])
    changes = StoryChanges(acceptance_criteria=(told.criterion, told.functional))
    backlog.edit(project, person, "S-1", selectors.story(project, "S-1").version, changes)
    backlog.plan_iteration(project, person, told.epics[0], 2)
    for code in ("S-1", "S-2", "S-4"):
        backlog.schedule(project, person, "I-1", code)
    backlog.edit_task(project, person, "T-1", 1, told.tasks[0], told.functional, Domain.FRONTEND)
    backlog.block_task(project, person, "T-2", told.reason)
    backlog.detail_iteration(project, person, "I-1")
    first = selectors.rules(project)[0]
    backlog.edit_rule(project, person, first.code, first.version, first.title, told.reworded)
    backlog.return_story(project, person, "S-3", told.reason)
    backlog.save_filter(project, person, told.filter, filters.read({"need": "promotion"}))


def _complete(told: Told, title: str, codes: tuple[str, ...]) -> StoryContent:
    return StoryContent(
        title=title,
        description=told.description,
        functional_requirements=(told.functional,),
        acceptance_criteria=(told.criterion,),
        definition_of_ready=(told.ready,),
        definition_of_done=(told.done,),
        rules=codes,
    )
