"""The roster: every agent as data. Activation, handoff targets, ceilings and queues are read from here."""

from dataclasses import dataclass
from enum import StrEnum

from contracts.vocabulary import Queue


class Area(StrEnum):
    DEV = "dev"
    QA = "qa"
    INFRA = "infra"


class StartedBy(StrEnum):
    """Who may start an agent (ADR 0008): `user` needs nothing, `handoff` an accepted handoff addressed to it."""

    USER = "user"
    HANDOFF = "handoff"
    NO_AGENT_ACTIVE = "no_agent_active"
    SYSTEM = "system"


@dataclass(frozen=True)
class AgentCard:
    """`hands_to` are the agents it may offer a handoff to; `ceiling` counts model calls in one turn."""

    slug: str
    title_en: str
    title_pt: str
    purpose_en: str
    purpose_pt: str
    started_by: StartedBy
    queue: Queue
    ceiling: int
    area: Area | None = None
    is_lead: bool = False
    may_emit: tuple[str, ...] = ()
    hands_to: tuple[str, ...] = ()
    may_write: tuple[str, ...] = ()
    """What it writes of the backlog and the architecture."""
    is_conversational: bool = False
    is_available: bool = False


_CARDS = (
    AgentCard(
        slug="creative",
        title_en="Creative",
        title_pt="Criativo",
        purpose_en="Explores the idea with you and records its business rules.",
        purpose_pt="Explora a ideia com você e registra as regras de negócio.",
        started_by=StartedBy.USER,
        queue=Queue.CONVERSATION,
        ceiling=12,
        may_emit=("note", "business_rule"),
        hands_to=("product_owner",),
        is_conversational=True,
        is_available=True,
    ),
    AgentCard(
        slug="product_owner",
        title_en="Product Owner",
        title_pt="Product Owner",
        purpose_en="Turns the brief into epics, stories and tasks.",
        purpose_pt="Transforma o brief em épicos, histórias e tarefas.",
        started_by=StartedBy.HANDOFF,
        queue=Queue.CONVERSATION,
        ceiling=12,
        hands_to=("architect",),
        may_write=("epic", "feature", "story", "story_edit", "task"),
        is_conversational=True,
        is_available=True,
    ),
    AgentCard(
        slug="architect",
        title_en="Architect",
        title_pt="Arquiteto",
        purpose_en="Decides modules, technology and the decisions worth writing down.",
        purpose_pt="Define módulos, tecnologia e as decisões que merecem registro.",
        started_by=StartedBy.HANDOFF,
        queue=Queue.CONVERSATION,
        ceiling=14,
        may_emit=("insight",),
        hands_to=("infra_lead",),
        may_write=("module_map", "story_modules", "project_image", "c4_diagram", "adr"),
        is_conversational=True,
        is_available=True,
    ),
    AgentCard(
        slug="ux_designer",
        title_en="UX Designer",
        title_pt="Designer de UX",
        purpose_en="Proposes a navigable prototype of screens and journeys.",
        purpose_pt="Propõe um protótipo navegável de telas e jornadas.",
        started_by=StartedBy.HANDOFF,
        queue=Queue.CONVERSATION,
        ceiling=14,
        hands_to=("product_owner", "dev_lead"),
        may_write=("prototype",),
        is_conversational=True,
        is_available=True,
    ),
    AgentCard(
        slug="infra_lead",
        title_en="Infra Lead",
        title_pt="Líder de Infra",
        purpose_en="Prepares containers and the pipeline as one pull request.",
        purpose_pt="Prepara contêineres e o pipeline em um único pull request.",
        started_by=StartedBy.HANDOFF,
        queue=Queue.DELIVERY,
        ceiling=14,
        area=Area.INFRA,
        is_lead=True,
        hands_to=("dev_lead",),
    ),
    AgentCard(
        slug="infra_workflows",
        title_en="Infra Workflows",
        title_pt="Workflows de Infra",
        purpose_en="Writes the continuous integration pipeline.",
        purpose_pt="Escreve o pipeline de integração contínua.",
        started_by=StartedBy.SYSTEM,
        queue=Queue.DELIVERY,
        ceiling=8,
        area=Area.INFRA,
    ),
    AgentCard(
        slug="dev_lead",
        title_en="Dev Lead",
        title_pt="Líder de Desenvolvimento",
        purpose_en="Proposes how many agents build which module.",
        purpose_pt="Propõe quantos agentes constroem cada módulo.",
        started_by=StartedBy.HANDOFF,
        queue=Queue.DELIVERY,
        ceiling=14,
        area=Area.DEV,
        is_lead=True,
        is_conversational=True,
    ),
    AgentCard(
        slug="dev",
        title_en="Developer",
        title_pt="Desenvolvedor",
        purpose_en="Builds one task of a module in its own worktree.",
        purpose_pt="Constrói uma tarefa de um módulo em sua própria worktree.",
        started_by=StartedBy.SYSTEM,
        queue=Queue.DELIVERY,
        ceiling=60,
        area=Area.DEV,
    ),
    AgentCard(
        slug="qa_lead",
        title_en="QA Lead",
        title_pt="Líder de QA",
        purpose_en="Consolidates the quality verdict of a pull request.",
        purpose_pt="Consolida o veredito de qualidade de um pull request.",
        started_by=StartedBy.SYSTEM,
        queue=Queue.GATES,
        ceiling=8,
        area=Area.QA,
        is_lead=True,
    ),
    AgentCard(
        slug="qa_automation",
        title_en="QA Automation",
        title_pt="QA de Automação",
        purpose_en="Judges tests and coverage of a pull request.",
        purpose_pt="Avalia testes e cobertura de um pull request.",
        started_by=StartedBy.SYSTEM,
        queue=Queue.GATES,
        ceiling=60,
        area=Area.QA,
    ),
    AgentCard(
        slug="qa_performance_security",
        title_en="QA Performance and Security",
        title_pt="QA de Desempenho e Segurança",
        purpose_en="Judges performance and security requirements.",
        purpose_pt="Avalia requisitos de desempenho e segurança.",
        started_by=StartedBy.SYSTEM,
        queue=Queue.GATES,
        ceiling=60,
        area=Area.QA,
    ),
    AgentCard(
        slug="secops",
        title_en="SecOps",
        title_pt="SecOps",
        purpose_en="Scans every pull request with fixed rules.",
        purpose_pt="Verifica cada pull request com regras fixas.",
        started_by=StartedBy.SYSTEM,
        queue=Queue.GATES,
        ceiling=8,
    ),
    AgentCard(
        slug="story_editor",
        title_en="Story Editor",
        title_pt="Editor de Histórias",
        purpose_en="Maintains stories and refines tasks by chat.",
        purpose_pt="Mantém histórias e refina tarefas por conversa.",
        started_by=StartedBy.HANDOFF,
        queue=Queue.CONVERSATION,
        ceiling=12,
        may_write=("resolution", "tasks", "work_items"),
        is_conversational=True,
        is_available=True,
    ),
    AgentCard(
        slug="task_detailing",
        title_en="Task Detailing",
        title_pt="Detalhamento de Tarefas",
        purpose_en="Details the tasks of an iteration in one batch.",
        purpose_pt="Detalha as tarefas de uma iteração em lote.",
        started_by=StartedBy.SYSTEM,
        queue=Queue.DELIVERY,
        ceiling=8,
        may_write=("tasks",),
        is_available=True,
    ),
    AgentCard(
        slug="psychologist",
        title_en="Psychologist",
        title_pt="Psicólogo",
        purpose_en="Reads finished sessions and proposes hypotheses about agents.",
        purpose_pt="Lê sessões encerradas e propõe hipóteses sobre os agentes.",
        started_by=StartedBy.SYSTEM,
        queue=Queue.ANALYSIS,
        ceiling=8,
    ),
    AgentCard(
        slug="anamnesis",
        title_en="Anamnesis",
        title_pt="Anamnese",
        purpose_en="Learns how the team works and proposes better instructions.",
        purpose_pt="Aprende como o time trabalha e propõe instruções melhores.",
        started_by=StartedBy.SYSTEM,
        queue=Queue.ANALYSIS,
        ceiling=6,
    ),
    AgentCard(
        slug="assistant",
        title_en="Assistant",
        title_pt="Assistente",
        purpose_en="Answers questions when no agent is active; it has no tools.",
        purpose_pt="Responde perguntas quando nenhum agente está ativo; não tem ferramentas.",
        started_by=StartedBy.NO_AGENT_ACTIVE,
        queue=Queue.CONVERSATION,
        ceiling=1,
        is_conversational=True,
        is_available=True,
    ),
)

ROSTER: dict[str, AgentCard] = {card.slug: card for card in _CARDS}


SHARED = ("dev", "task_detailing")
"""Entries that many work under at once: `dev-billing`, `dev-billing-2`, `task_detailing-14` (of the story S-14)."""


def card_of(slug: str) -> AgentCard | None:
    """The roster's entry, also of those who share one."""
    return ROSTER.get(entry_of(slug))


def entry_of(slug: str) -> str:
    """The name under which the roster has it."""
    return next((entry for entry in SHARED if slug.startswith(f"{entry}-")), slug)


def lead_of(area: Area) -> AgentCard:
    return next(card for card in _CARDS if card.area is area and card.is_lead)


def may_receive_handoff(card: AgentCard) -> bool:
    """A handoff goes to the lead of an area or to an agent without one (ADR 0038)."""
    return card.started_by in (StartedBy.HANDOFF, StartedBy.USER) and (card.area is None or card.is_lead)
