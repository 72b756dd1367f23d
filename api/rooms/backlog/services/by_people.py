"""What a person does to stories and rules is told in the session in which they were born or worded."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.backlog.models import Rule, Story
from api.rooms.backlog.services import numbering
from api.rooms.backlog.services.editing import edit_story
from api.rooms.backlog.services.finding import rule_of, story_of
from api.rooms.backlog.services.writing import Writer
from contracts.backlog import StoryChanges
from contracts.routes.backlog import StoryChanged


def locked(project_id: UUID, user_id: UUID, code: str) -> tuple[Writer, Story]:
    """The session in which the story was born, then the backlog (the order of all locks)."""
    session_id = story_of(project_id, code).session_id
    agent_sessions.lock(session_id)
    numbering.lock(project_id)
    return Writer(session_id, project_id, user_actor(user_id)), story_of(project_id, code)


def locked_rule(project_id: UUID, user_id: UUID, code: str) -> tuple[Writer, Rule]:
    """The same for a rule: told in the session of its present wording."""
    session_id = rule_of(project_id, code).session_id
    agent_sessions.lock(session_id)
    numbering.lock(project_id)
    return Writer(session_id, project_id, user_actor(user_id)), rule_of(project_id, code)


@transaction.atomic
def edit(project_id: UUID, user_id: UUID, code: str, version: int, changes: StoryChanges) -> StoryChanged:
    """Raises Refusal: `stale_version` where somebody else was quicker."""
    writer, story = locked(project_id, user_id, code)
    return edit_story(writer, story.code, version, changes)
