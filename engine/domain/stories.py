"""How a model is told where a story stands: what is no error must not read like one."""

from contracts.events.backlog import Named
from contracts.routes.backlog import StoryState
from contracts.vocabulary import StoryStatus

WAITS = "It is complete and waits for a person to promote it. That is no error and nothing to mend: go on."
LACKS = "It is a draft: it lacks {missing}. Complete it with edit_story."


def standing(state: StoryState) -> str:
    """One sentence about readiness."""
    if state.is_proposed:
        return WAITS
    if state.missing:
        return LACKS.format(missing=", ".join(state.missing))
    if state.status is StoryStatus.DRAFT:
        return "It is a draft, and lacks nothing."
    return f"It is {state.status.value.replace('_', ' ')}."


def named(found: Named | StoryState) -> str:
    return f"{found.code} “{found.title}”"


def warnings(overlaps: Named | None, resembles: tuple[Named, ...]) -> str:
    """What a person will ask about; the story was made all the same."""
    found = []
    if overlaps is not None:
        found.append(f"Warning: {named(overlaps)} covers all of its rules already.")
    if resembles:
        listed = ", ".join(named(each) for each in resembles)
        found.append(f"Warning: its title is much like {listed}. If they are one story, tell the person.")
    return " ".join(found)
