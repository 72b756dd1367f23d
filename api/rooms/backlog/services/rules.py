"""Business rules: each title once in a project (RN-080), each with a code; the event is the rule, the row finds it."""

from api.rooms.backlog.models import Rule, RuleWording
from api.rooms.backlog.services import numbering
from api.rooms.backlog.services.writing import Writer
from api.rooms.kernel.refusals import Refusal
from contracts.artifacts import BusinessRule, CitedRule
from contracts.events import LogEvent
from contracts.problem import ProblemCode
from contracts.text import fold


def emit_rule(writer: Writer, rule: BusinessRule) -> LogEvent:
    """A rule that this session holds already is refused by its title; one of another session is cited here."""
    if rule.cites is not None or rule.code is not None:
        raise Refusal(ProblemCode.INVALID_ARTIFACT, "`cites` and `code` are set by the workspace: leave them out.")
    numbering.lock(writer.project_id)
    known = Rule.objects.filter(project_id=writer.project_id, title_folded=fold(rule.title)).first()
    if known is None:
        return _emit_new(writer, rule)
    if known.wordings.filter(session_id=writer.session_id).exists():
        raise Refusal(
            ProblemCode.DUPLICATE_RULE,
            f'The project has this rule already: "{known.title}" ({known.code}). Go on with the next one.',
            {"existing": known.title, "code": known.code},
        )
    return _cite(writer, rule, known)


def _emit_new(writer: Writer, rule: BusinessRule) -> LogEvent:
    number = numbering.take(writer.project_id, "next_rule")
    event = writer.tell(rule.model_copy(update={"code": f"R-{number}"}))
    row = Rule.objects.create(
        project_id=writer.project_id,
        session_id=writer.session_id,
        number=number,
        title=rule.title,
        title_folded=fold(rule.title),
        description=rule.description,
        event_id=event.id,
        seq=event.seq,
    )
    RuleWording.objects.create(event_id=event.id, rule=row, session_id=writer.session_id, version=1)
    return event


def _cite(writer: Writer, rule: BusinessRule, known: Rule) -> LogEvent:
    """The project's own words, with what this session says that the rule comes from (ADR 0025)."""
    cites = CitedRule(event_id=known.event_id, session_id=known.session_id, seq=known.seq)
    words = {"title": known.title, "description": known.description, "code": known.code, "cites": cites}
    event = writer.tell(rule.model_copy(update=words))
    RuleWording.objects.create(event_id=event.id, rule=known, session_id=writer.session_id, version=known.version)
    return event
