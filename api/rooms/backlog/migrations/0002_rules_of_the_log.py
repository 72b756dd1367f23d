"""Rules that were recorded before the backlog had rows for them get their code, in the order in which they came."""

import json
from typing import Any

from django.db import migrations

from contracts.text import fold

RULE = "artifact.business_rule"


def project_rules(apps: Any, schema_editor: Any) -> None:
    """A first event of a title in a project is the rule; later ones of the same title cite it."""
    events = apps.get_model("agent_sessions", "SessionEvent")
    backlogs, rules = apps.get_model("backlog", "Backlog"), apps.get_model("backlog", "Rule")
    wordings = apps.get_model("backlog", "RuleWording")
    known: dict[tuple[Any, str], Any] = {}
    numbers: dict[Any, int] = {}
    rows = events.objects.filter(type=RULE).select_related("session").order_by("created_at", "session_id", "seq")
    for event in rows.iterator():
        rule = json.loads(event.canonical)["payload"]
        project_id, title = event.session.project_id, fold(rule["title"])
        row = known.get((project_id, title))
        if row is None:
            number = numbers[project_id] = numbers.get(project_id, 0) + 1
            row = known[project_id, title] = rules.objects.create(
                project_id=project_id, session_id=event.session_id, number=number, title=rule["title"],
                title_folded=title, description=rule["description"], event_id=event.id, seq=event.seq,
            )  # fmt: skip
        wordings.objects.create(event_id=event.id, rule=row, session_id=event.session_id, version=1)
    for project_id, number in numbers.items():
        backlogs.objects.create(project_id=project_id, next_rule=number + 1)


class Migration(migrations.Migration):
    dependencies = [("backlog", "0001_initial")]
    operations = [migrations.RunPython(project_rules, migrations.RunPython.noop)]
