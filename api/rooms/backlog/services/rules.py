"""Business rules: each title once in a project (RN-080), each with a code; the event is the rule, the row finds it."""

from collections.abc import Sequence

from api.rooms.backlog.models import Rule, RuleWording
from api.rooms.backlog.services import likeness, numbering, quoting, wording
from api.rooms.backlog.services.finding import rule_of
from api.rooms.backlog.services.writing import Writer
from api.rooms.kernel.refusals import Refusal
from contracts.artifacts import BusinessRule, CitedRule, Quoted
from contracts.events import LogEvent, RuleResembles
from contracts.problem import ProblemCode
from contracts.text import fold


def emit_rule(
    writer: Writer, rule: BusinessRule, quoted: Sequence[Quoted] = (), supersedes: str | None = None
) -> LogEvent:
    """A rule that this session holds already is refused by its title; one of another session is cited here.

    `supersedes` is the code of the rule that this is a new wording of.
    """
    if rule.cites is not None or rule.code is not None or rule.quotes or rule.supersedes is not None:
        detail = "`cites`, `code`, `quotes` and `supersedes` are set by the workspace: leave them out."
        raise Refusal(ProblemCode.INVALID_ARTIFACT, detail)
    rule = rule.model_copy(update={"quotes": quoting.quotes_of(writer.session_id, rule.origin, quoted)})
    numbering.lock(writer.project_id)
    if supersedes is not None:
        return wording.reword(writer, rule_of(writer.project_id, supersedes), rule)
    known = _known(writer, rule)
    if known is None:
        return _emit_new(writer, rule)
    if known.wordings.filter(session_id=writer.session_id).exists():
        raise Refusal(
            ProblemCode.DUPLICATE_RULE,
            f'The project has this rule already: "{known.title}" ({known.code}). Go on with the next one.'
            f" To change what it says, name {known.code} as `supersedes`.",
            {"existing": known.title, "code": known.code},
        )
    return _cite(writer, rule, known)


def _known(writer: Writer, rule: BusinessRule) -> Rule | None:
    """The rule of this title; one that was merged into another counts as that other."""
    same = Rule.objects.select_related("merged_into").filter(project_id=writer.project_id)
    found = same.filter(title_folded=fold(rule.title)).first()
    return found.merged_into or found if found else None


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
    alike = likeness.alike_rules(row)
    if alike is not None:
        told = RuleResembles(code=row.code, title=row.title, resembles=alike.named, likeness=alike.percent)
        writer.tell(told)
    return event


def _cite(writer: Writer, rule: BusinessRule, known: Rule) -> LogEvent:
    """The project's own words, with what this session says that the rule comes from (ADR 0025)."""
    cites = CitedRule(event_id=known.event_id, session_id=known.session_id, seq=known.seq)
    words = {"title": known.title, "description": known.description, "code": known.code, "cites": cites}
    event = writer.tell(rule.model_copy(update=words))
    RuleWording.objects.create(event_id=event.id, rule=known, session_id=writer.session_id, version=known.version)
    return event
