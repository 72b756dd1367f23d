"""A project with stories, without an agent to make them."""

from uuid import UUID

from django.db import transaction

from api.rooms.actions import services as actions
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.agents import services as agents
from api.rooms.architecture import services as architecture
from api.rooms.backlog import services as backlog
from contracts.actions import Adr
from contracts.backlog import StoryContent
from contracts.events import Actor
from contracts.vocabulary import ActorKind
from tests.factories.architecture import LOANS, PROTOTYPE
from tests.factories.backlog import COMPLETE
from tests.factories.conversation import rule
from tests.factories.places import Place


@transaction.atomic
def two_stories(place: Place, origin: int) -> None:
    """R-1, E1, and S-1 that waits for promotion; S-2 is ready."""
    writer = backlog.Writer(place.session_id, place.project_id, user_actor(place.user_id))
    backlog.emit_rule(writer, rule("Feira aos domingos", origin))
    backlog.create_epic(writer, "Barracas")
    for title in ("Ver as barracas", "Reservar um lugar"):
        backlog.create_story(writer, "E1", StoryContent(title=title, rules=("R-1",), **COMPLETE))
    backlog.create_task(writer, "S-1", "Uma página")
    backlog.promote(place.project_id, place.user_id, ["S-2"])
    backlog.plan_iteration(place.project_id, place.user_id, "Primeira feira", 3)
    backlog.schedule(place.project_id, place.user_id, "I-1", "S-2")


@transaction.atomic
def architected(place: Place) -> tuple[UUID, UUID]:
    """A module map, and two decision records that wait."""
    actor = Actor(kind=ActorKind.AGENT, id="architect")
    architecture.make_map(architecture.Architect(place.session_id, place.project_id, actor), LOANS, None)
    architecture.keep_prototype(architecture.Architect(place.session_id, place.project_id, actor), PROTOTYPE)
    agents.ensure(place.session_id, "architect")
    writer = backlog.Writer(place.session_id, place.project_id, actor)
    first, second = (
        actions.propose(writer, Adr(title=title, slug=slug, content="## Decision", modules=("loans",)))
        for title, slug in (("One database", "one-database"), ("No queue", "no-queue"))
    )
    return first.action_id, second.action_id
