"""Titles that are alike: equal ones are refused, those that cover or resemble another are warned of (RN-081, D-49)."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q

from api.rooms.backlog.models import Rule, Story
from api.rooms.kernel import statements
from api.rooms.kernel.refusals import Refusal
from contracts.events.backlog import Named
from contracts.problem import ProblemCode
from contracts.text import fold

ALIKE = 0.5
MAX_ALIKE = 3
STORIES_SQL = """
SELECT 'S-' || number, title, similarity(title_folded, %(title)s) AS likeness FROM backlog_story
WHERE project_id = %(project)s AND id <> %(own)s AND similarity(title_folded, %(title)s) >= %(alike)s
ORDER BY likeness DESC, number LIMIT %(most)s
"""
RULES_SQL = """
SELECT 'R-' || number, title, similarity(title_folded, %(title)s) AS likeness FROM backlog_rule
WHERE project_id = %(project)s AND id <> %(own)s AND merged_into_id IS NULL
AND similarity(title_folded, %(title)s) >= %(alike)s
ORDER BY likeness DESC, number LIMIT %(most)s
"""


@dataclass(frozen=True)
class Alike:
    named: tuple[Named, ...]
    percent: int


def refuse_same(project_id: UUID, title: str, own_id: UUID | None = None) -> None:
    """As people read titles: case, accents and space aside (RN-081). Under the backlog's lock."""
    same = Story.objects.filter(project_id=project_id, title_folded=fold(title)).first()
    if same is not None and same.id != own_id:
        raise Refusal(
            ProblemCode.DUPLICATE_STORY,
            f'{same.code} has this title already: "{same.title}". Edit that story, or give this one another title.',
            {"existing": same.code, "title": same.title},
        )


def alike(story: Story) -> Alike | None:
    """By the letters of their titles; a person decides whether they are one story."""
    return _alike(STORIES_SQL, story)


def alike_rules(rule: Rule) -> Alike | None:
    """The same for rules."""
    return _alike(RULES_SQL, rule)


def _alike(sql: str, row: Rule | Story) -> Alike | None:
    values = {"title": row.title_folded, "project": row.project_id, "own": row.id}
    found = statements.rows(sql, {**values, "alike": ALIKE, "most": MAX_ALIKE})
    if not found:
        return None
    return Alike(tuple(Named(code=code, title=title) for code, title, _ in found), round(found[0][2] * 100))


def covering(story: Story, rules: list[Rule]) -> Named | None:
    """Another story that cites all of these rules; without a rule nothing is covered."""
    if not rules:
        return None
    others = Story.objects.filter(project_id=story.project_id).exclude(id=story.id)
    counted = others.annotate(shared=Count("cited", filter=Q(cited__rule__in=rules)))
    found = counted.filter(shared=len(rules)).order_by("number").first()
    return Named(code=found.code, title=found.title) if found else None
