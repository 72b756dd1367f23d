"""Which story somebody means: a code is taken as it is, a title only when no other is nearly as much alike."""

from uuid import UUID

from api.rooms.backlog.domain import codes, resolving
from api.rooms.backlog.models import Epic, Story, StoryResolution
from api.rooms.backlog.services.by_agents import write_once
from api.rooms.backlog.services.writing import Writer
from api.rooms.kernel import statements
from contracts.events.backlog import Named
from contracts.routes.detailing import Candidate, Resolution, ResolveStory, StoryResolved
from contracts.text import fold

LIKE_SQL = """
SELECT number, title, greatest(similarity(title_folded, %(said)s), word_similarity(%(said)s, title_folded)) AS likeness
FROM backlog_story WHERE project_id = %(project)s AND (%(epic)s::uuid IS NULL OR epic_id = %(epic)s)
ORDER BY likeness DESC, number LIMIT %(most)s
"""
MAX_CANDIDATES = 5


def by_agent(instance_id: UUID, asked: ResolveStory, body_hash: str) -> StoryResolved:
    def act(writer: Writer) -> StoryResolved:
        return resolve(writer, asked.said, asked.epic)

    return write_once(instance_id, asked, body_hash, "resolution", StoryResolved, act)


def resolve(writer: Writer, said: str, epic: str | None = None) -> StoryResolved:
    """In the caller's transaction; each answer is recorded, so that its rate can be shown."""
    found = _found(writer, said, epic)
    row = Story.objects.filter(
        project_id=writer.project_id, number=codes.number_of(found.story.code, codes.STORY) if found.story else 0
    ).first()
    how = found.how
    if how is not Resolution.ASKED and _was_asked_before(writer.session_id):
        how = Resolution.CORRECTED
    StoryResolution.objects.create(
        project_id=writer.project_id, session_id=writer.session_id, said=said, how=how, story=row
    )
    return found.model_copy(update={"how": how})


def _was_asked_before(session_id: UUID) -> bool:
    """The last answer of this conversation was a question: what comes now is the person's correction."""
    last = StoryResolution.objects.filter(session_id=session_id).order_by("-created_at", "-id")
    return last.values_list("how", flat=True).first() == Resolution.ASKED


def _found(writer: Writer, said: str, epic: str | None) -> StoryResolved:
    number = codes.number_of(said.strip().upper(), codes.STORY)
    if number:
        story = Story.objects.filter(project_id=writer.project_id, number=number).first()
        if story is not None:
            return StoryResolved(how=Resolution.CODE, story=Named(code=story.code, title=story.title))
        return StoryResolved(how=Resolution.ASKED, story=None)
    candidates = _alike(writer.project_id, said, epic)
    chosen = resolving.chosen([each.likeness for each in candidates])
    if chosen:
        first = candidates[0]
        return StoryResolved(how=Resolution.RESOLVED, story=Named(code=first.code, title=first.title))
    return StoryResolved(how=Resolution.ASKED, story=None, candidates=resolving.worth_asking(candidates))


def _alike(project_id: UUID, said: str, epic: str | None) -> tuple[Candidate, ...]:
    epics = Epic.objects.filter(project_id=project_id, number=codes.number_of(epic or "", codes.EPIC))
    epic_id = epics.values_list("id", flat=True).first() if epic else None
    values = {"said": fold(said), "project": project_id, "epic": epic_id, "most": MAX_CANDIDATES}
    rows = statements.rows(LIKE_SQL, values)
    return tuple(
        Candidate(code=f"{codes.STORY}{number}", title=title, likeness=round(likeness * 100))
        for number, title, likeness in rows
    )


def rates(project_id: UUID) -> dict[Resolution, int]:
    """How often stories were found in each way."""
    counts = dict.fromkeys(Resolution, 0)
    for (how,) in StoryResolution.objects.filter(project_id=project_id).values_list("how"):
        counts[Resolution(how)] += 1
    return counts
