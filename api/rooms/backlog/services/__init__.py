"""The door of the room: write rules, epics, stories and tasks; promote, give back, take back."""

from api.rooms.backlog.services.batches import cancel_detailing, detail_iteration
from api.rooms.backlog.services.by_agents import write_once
from api.rooms.backlog.services.by_architects import keep_insight, keep_prototype
from api.rooms.backlog.services.by_people import edit
from api.rooms.backlog.services.confirming import confirm_architecture
from api.rooms.backlog.services.editing import edit_story
from api.rooms.backlog.services.epics import create_epic
from api.rooms.backlog.services.features import create_feature
from api.rooms.backlog.services.hands_on_tasks import (
    add_task,
    block_task,
    edit_task,
    move_task,
    remove_task,
    unblock_task,
)
from api.rooms.backlog.services.importing import IMPORTS, Imported, bring_in, dry_run, read_document
from api.rooms.backlog.services.iterations import change_iteration, plan_iteration, schedule, set_kind
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
    "IMPORTS",
    "Imported",
    "Promoted",
    "Refused",
    "Writer",
    "add_task",
    "block_task",
    "bring_in",
    "cancel_detailing",
    "change_iteration",
    "confirm_architecture",
    "create_epic",
    "create_feature",
    "create_story",
    "create_task",
    "demote",
    "detail_iteration",
    "drop_filter",
    "dry_run",
    "edit",
    "edit_rule",
    "edit_story",
    "edit_task",
    "emit_rule",
    "keep_insight",
    "keep_prototype",
    "merge_rules",
    "move_task",
    "plan_iteration",
    "promote",
    "read_document",
    "remove_task",
    "return_story",
    "review_story",
    "save_filter",
    "schedule",
    "set_kind",
    "set_promotion",
    "unblock_task",
    "write_once",
]
