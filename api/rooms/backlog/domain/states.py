"""Which status may follow which (RN-009); every pair that is not named is refused."""

from contracts.vocabulary import StoryStatus, TaskStatus

STORY_MOVES: dict[StoryStatus, frozenset[StoryStatus]] = {
    StoryStatus.DRAFT: frozenset({StoryStatus.READY}),
    StoryStatus.READY: frozenset({StoryStatus.IN_PROGRESS, StoryStatus.DRAFT}),
    StoryStatus.IN_PROGRESS: frozenset({StoryStatus.DONE, StoryStatus.READY}),
    StoryStatus.DONE: frozenset(),
}
TASK_MOVES: dict[TaskStatus, frozenset[TaskStatus]] = {
    TaskStatus.TODO: frozenset({TaskStatus.IN_PROGRESS}),
    TaskStatus.IN_PROGRESS: frozenset({TaskStatus.IN_REVIEW, TaskStatus.TODO}),
    TaskStatus.IN_REVIEW: frozenset({TaskStatus.DONE, TaskStatus.IN_PROGRESS, TaskStatus.TODO}),
    TaskStatus.DONE: frozenset(),
}
EDITABLE = frozenset({StoryStatus.DRAFT, StoryStatus.READY})
"""What is being built or is built keeps its words."""


def may_story_move(now: StoryStatus, to: StoryStatus) -> bool:
    """Staying is no move."""
    return to in STORY_MOVES[now]


def may_task_move(now: TaskStatus, to: TaskStatus) -> bool:
    """Staying is no move."""
    return to in TASK_MOVES[now]
