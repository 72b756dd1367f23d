"""What stands in a backlog. Each row is explained by events in the log of the session in which it was born."""

from api.rooms.backlog.models.backlog import Backlog, Numbered
from api.rooms.backlog.models.detailing import StoryDetailing, StoryResolution
from api.rooms.backlog.models.filters import SavedFilter
from api.rooms.backlog.models.iterations import Iteration
from api.rooms.backlog.models.rules import Rule, RuleWording
from api.rooms.backlog.models.stories import Epic, Feature, Story, StoryEvent, StoryModule, StoryRule, Task

__all__ = [
    "Backlog",
    "Epic",
    "Feature",
    "Iteration",
    "Numbered",
    "Rule",
    "RuleWording",
    "SavedFilter",
    "Story",
    "StoryDetailing",
    "StoryEvent",
    "StoryModule",
    "StoryResolution",
    "StoryRule",
    "Task",
]
