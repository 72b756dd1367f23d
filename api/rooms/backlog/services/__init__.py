"""The door of the room: write rules, epics, stories and tasks; promote, give back, take back."""

from api.rooms.backlog.services.by_agents import write_once
from api.rooms.backlog.services.by_architects import keep_insight
from api.rooms.backlog.services.by_people import edit
from api.rooms.backlog.services.confirming import confirm_architecture
from api.rooms.backlog.services.editing import edit_story
from api.rooms.backlog.services.epics import create_epic
from api.rooms.backlog.services.merging import merge_rules
from api.rooms.backlog.services.promoting import Promoted, Refused, demote, promote, return_story, set_promotion
from api.rooms.backlog.services.reviewing import review_story
from api.rooms.backlog.services.rules import emit_rule
from api.rooms.backlog.services.saved_filters import drop_filter, save_filter
from api.rooms.backlog.services.stories import create_story
from api.rooms.backlog.services.tasks import create_task
from api.rooms.backlog.services.wording import edit_rule
from api.rooms.backlog.services.writing import Writer

__all__ = [
    "Promoted",
    "Refused",
    "Writer",
    "confirm_architecture",
    "create_epic",
    "create_story",
    "create_task",
    "demote",
    "drop_filter",
    "edit",
    "edit_rule",
    "edit_story",
    "emit_rule",
    "keep_insight",
    "merge_rules",
    "promote",
    "return_story",
    "review_story",
    "save_filter",
    "set_promotion",
    "write_once",
]
