"""Detail all stories of an iteration at once: a session of its own, an agent for each story, each done once.

The log of the session is the batch's progress, its budget the batch's limit, Stop its cancel; what was left can be
gone on with.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.agents import services as agents
from api.rooms.agents.services.instances import of_session
from api.rooms.backlog.models import Iteration, Story, StoryDetailing, Task
from api.rooms.backlog.services import numbering, refusing
from api.rooms.backlog.services.iterations import iteration_of
from api.rooms.turns import services as turns
from contracts.events import DetailingRequested
from contracts.limits import MAX_NAME_CHARS
from contracts.vocabulary import SessionKind, SessionStatus, StoryStatus

AGENT = "task_detailing"


def agent_of(story_number: int) -> str:
    """Each story has its own, so that they work side by side."""
    return f"{AGENT}-{story_number}"


@transaction.atomic
def detail_iteration(project_id: UUID, user_id: UUID, code: str) -> UUID:
    """The session of the batch: the one that is not finished yet goes on, else a new one begins.

    Stories that have tasks are left as they are. Raises Refusal when nothing is left to detail.
    """
    row = iteration_of(project_id, code)
    unfinished = _unfinished(row)
    if unfinished is not None:
        _go_on(unfinished, user_id, row)
        return unfinished
    with_tasks = Task.objects.filter(story__iteration=row, removed_at=None).values("story_id")
    wanted = list(row.stories.exclude(status=StoryStatus.DONE).exclude(id__in=with_tasks).order_by("place"))
    if not wanted:
        raise refusing.invalid(f"Every story of {code} has tasks already.", iteration=code)
    session_id = agent_sessions.open_session(
        project_id, user_id, SessionKind.CONSULTATIVE, f"{row.code} {row.title}"[:MAX_NAME_CHARS]
    )
    agent_sessions.lock(session_id)
    numbering.lock(project_id)
    _begin(session_id, user_id, row, wanted)
    return session_id


def _begin(session_id: UUID, user_id: UUID, row: Iteration, stories: Sequence[Story]) -> None:
    for place, story in enumerate(stories, 1):
        StoryDetailing.objects.create(session_id=session_id, iteration=row, story=story, place=place)
        _request(session_id, user_id, row, story)


def _request(session_id: UUID, user_id: UUID, row: Iteration, story: Story) -> None:
    told = DetailingRequested(iteration=row.code, story_id=story.id, code=story.code, title=story.title)
    agents.deliver(session_id, user_actor(user_id), told, agent_of(story.number), lifts_hold=True)


def _unfinished(row: Iteration) -> UUID | None:
    """The last batch, while its session is open and a story of it has no tasks yet."""
    open_ones = row.detailings.filter(
        event_id=None, session__status=SessionStatus.ACTIVE, session__deleted_at=None
    ).order_by("-created_at")
    return open_ones.values_list("session_id", flat=True).first()


def _go_on(session_id: UUID, user_id: UUID, row: Iteration) -> None:
    """Asks again for each story that is neither done nor being done."""
    session = agent_sessions.lock(session_id)
    instances = {facts.agent: facts for facts in of_session(session)}
    numbering.lock(row.project_id)
    left = StoryDetailing.objects.select_related("story").filter(session_id=session_id, event_id=None)
    for each in left.order_by("place"):
        facts = instances.get(agent_of(each.story.number))
        is_at_work = (
            facts is not None
            and not facts.is_held
            and (facts.turn_id is not None or facts.wanted_seq > facts.cursor_seq)
        )
        if not is_at_work:
            _request(session_id, user_id, row, each.story)


def cancel_detailing(project_id: UUID, user_id: UUID, code: str) -> None:
    """Stops what runs and holds what waits; what was written stays. Nothing to stop: nothing happens."""
    unfinished = _unfinished(iteration_of(project_id, code))
    if unfinished is not None:
        turns.stop(unfinished, user_id)
