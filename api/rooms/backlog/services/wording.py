"""A rule gets new words: another event, that supersedes the one before. What cites the rule has to be looked at."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import selectors as log
from api.rooms.backlog.models import Rule, RuleWording
from api.rooms.backlog.services import refusing
from api.rooms.backlog.services.by_people import locked_rule
from api.rooms.backlog.services.writing import Writer
from api.rooms.kernel.refusals import Refusal
from contracts.artifacts import BusinessRule
from contracts.events import LogEvent
from contracts.problem import ProblemCode
from contracts.text import fold


def reword(writer: Writer, row: Rule, rule: BusinessRule) -> LogEvent:
    """Under the backlog's lock. Its own titles, former ones included, are no obstacle; another rule's is (RN-080)."""
    if (rule.title, rule.description) == (row.title, row.description):
        raise Refusal(ProblemCode.INVALID_ARTIFACT, f"{row.code} says exactly this already.", {"code": row.code})
    same = Rule.objects.filter(project_id=row.project_id, title_folded=fold(rule.title)).exclude(id=row.id).first()
    if same is not None:
        detail = f'{same.code} has this title already: "{same.title}". Merge the two, or choose another title.'
        raise Refusal(ProblemCode.DUPLICATE_RULE, detail, {"existing": same.title, "code": same.code})
    event = writer.tell(rule.model_copy(update={"code": row.code, "cites": None, "supersedes": row.event_id}))
    row.title, row.title_folded, row.description = rule.title, fold(rule.title), rule.description
    row.event_id, row.seq, row.session_id, row.version = event.id, event.seq, event.session_id, row.version + 1
    row.save()
    RuleWording.objects.create(event_id=event.id, rule=row, session_id=writer.session_id, version=row.version)
    return event


@transaction.atomic
def edit_rule(project_id: UUID, user_id: UUID, code: str, version: int, title: str, description: str) -> None:
    """By a person, told where the present wording stands; it goes on resting on the same words.

    Raises Refusal: `stale_version` where somebody else was quicker.
    """
    title, description = refusing.title(title), refusing.text(description)
    writer, row = locked_rule(project_id, user_id, code)
    refusing.refuse_stale(code, row.version, version)
    before = log.event(row.session_id, row.event_id)
    if before is None or not isinstance(before.payload, BusinessRule):
        raise refusing.invalid(f"The log does not hold the present wording of {code}.", code=code)
    rule = before.payload.model_copy(update={"title": title, "description": description})
    reword(writer, row, rule)
