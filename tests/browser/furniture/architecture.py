"""An architecture in both languages: modules, image, picture, an insight, and decisions in all three states."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from api.rooms.actions import selectors as proposed
from api.rooms.actions import services as actions
from api.rooms.agents import services as agents
from api.rooms.architecture import services as architecture
from api.rooms.backlog import services as backlog
from api.rooms.backlog.services import placing
from contracts.actions import Adr
from contracts.architecture import ActorType, Image, NewModule, SystemActor, SystemContext
from contracts.artifacts import Insight
from contracts.artifacts.prototype import Element, Journey, NewPrototype, Persona, Screen
from contracts.events import Actor
from contracts.vocabulary import ActorKind, Language


@dataclass(frozen=True)
class Told:
    modules: tuple[tuple[str, str], tuple[str, str], tuple[str, str]]
    rationale: str
    system: tuple[str, str]
    actors: tuple[tuple[str, str], tuple[str, str]]
    insight: tuple[str, str]
    decisions: tuple[tuple[str, str], tuple[str, str], tuple[str, str]]
    content: str
    reason: str
    screens: tuple[tuple[str, str], tuple[str, str]]


TOLD = {
    Language.ENGLISH: Told(
        (
            ("loans", "Who has which book, since when and until when."),
            ("people", "Neighbours, their rights, and how they are reached."),
            ("reminders", "Tells people in time, once, and never at night."),
        ),
        "Small, patched every week, and it has all that the modules need.",
        ("Book exchange", "Neighbours lend each other books."),
        (("Neighbour", "Lends and borrows."), ("Mail server", "Delivers reminders.")),
        ("Two rules pull apart", "Everybody sees who has a book, and names are hidden from strangers."),
        (
            ("One database for all modules", "one-database"),
            ("Reminders leave through an outbox", "outbox"),
            ("A queue of our own", "own-queue"),
        ),
        "## Context\n\nThree modules, one team.\n\n## Decision\n\nOne PostgreSQL.\n\n## Alternatives\n\nOne for each.",
        "The database does that well enough for now.",
        (("Search", "Look for a book nearby."), ("Ask for it", "Ask its owner, with a wish.")),
    ),
    Language.PORTUGUESE: Told(
        (
            ("emprestimos", "Quem está com qual livro, desde quando e até quando."),
            ("pessoas", "As pessoas do bairro, seus direitos e como falar com elas."),
            ("lembretes", "Avisa a tempo, uma vez, e nunca de noite."),
        ),
        "Pequena, atualizada toda semana, e tem tudo de que os módulos precisam.",
        ("Troca de livros", "Gente do bairro empresta livros."),
        (("Morador", "Empresta e pega emprestado."), ("Servidor de e-mail", "Entrega os lembretes.")),
        ("Duas regras se estranham", "Todo mundo vê com quem está o livro, e os nomes ficam ocultos para estranhos."),
        (
            ("Um banco de dados para todos os módulos", "um-banco"),
            ("Lembretes saem por uma caixa de saída", "caixa-de-saida"),
            ("Uma fila só nossa", "fila-propria"),
        ),
        "## Contexto\n\nTrês módulos, um time.\n\n## Decisão\n\nUm PostgreSQL.\n\n## Alternativas\n\nUm para cada.",
        "Por ora o banco de dados faz isso bem.",
        (("Procurar", "Procurar um livro por perto."), ("Pedir", "Pedir à dona do livro, com um recado.")),
    ),
}


def _prototype(told: Told) -> NewPrototype:
    first, second = told.screens
    return NewPrototype(
        summary=told.system[1],
        personas=(Persona(name=told.actors[0][0], goal=told.actors[0][1]),),
        journeys=(Journey(title=first[0], steps=(first[1], second[1])),),
        screens=(
            Screen(
                name=first[0],
                description=first[1],
                elements=(
                    Element(kind="field", label=first[0]),
                    Element(kind="button", label=second[0], goes_to=second[0]),
                ),
            ),
            Screen(
                name=second[0],
                description=second[1],
                elements=(Element(kind="link", label=first[0], goes_to=first[0]),),
            ),
        ),
    )


def decide(project: UUID, session: UUID, person: UUID, language: Language) -> None:
    told, actor = TOLD[language], Actor(kind=ActorKind.AGENT, id="architect")
    first, second, third = (name for name, _ in told.modules)
    needs = {first: (second,), third: (first, second)}
    modules = [
        NewModule(name=name, stack="Python, Django", responsibility=why, depends_on=needs.get(name, ()))
        for name, why in told.modules
    ]
    kinds = (ActorType.PERSON, ActorType.EXTERNAL_SYSTEM)
    actors = tuple(
        SystemActor(name=name, type=kind, description=why) for (name, why), kind in zip(told.actors, kinds, strict=True)
    )
    name, description = told.system
    system = SystemContext(system_name=name, system_description=description, actors=actors)
    title, text = told.insight
    writer, architect = backlog.Writer(session, project, actor), architecture.Architect(session, project, actor)
    with transaction.atomic():
        agents.ensure(session, "architect")
        architecture.make_map(architect, modules, None)
        architecture.choose_image(architect, Image(image="python:3.13-slim", rationale=told.rationale))
        architecture.draw_c4(architect, system)
        architecture.keep_prototype(architect, _prototype(told))
        architecture.keep_insight(architect, Insight(title=title, description=text))
        placing.assign(writer, "S-1", (first, second))
        placing.assign(writer, "S-2", (first,))
        for title, slug in told.decisions:
            actions.propose(writer, Adr(title=title, slug=slug, content=told.content))
    denied, approved, _ = proposed.of_project(project)
    actions.deny(denied.id, person, told.reason)
    actions.approve(approved.id, person, approved.content_sha256)
