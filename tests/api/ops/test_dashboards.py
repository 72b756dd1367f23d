"""Alerts and the dashboard name only metrics and labels that one of the two `/metrics` has."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import REGISTRY, CollectorRegistry

from api.asgi import application
from api.surfaces.ops import metrics
from api.surfaces.ops.requests import Requests
from engine.http import measuring
from engine.roll import Told

OPS = Path(__file__).resolve().parents[3] / "deploy/ops"
METRIC = re.compile(r"\b(?:mutirao|process)_[a-z_]+\b")
CHOSEN = re.compile(r"([a-z_]+)\s*=~?\"")
GROUPED = re.compile(r"\bby \(([^)]*)\)")
OF_PROMETHEUS = {"le", "job", "instance"}
QUEUES = {"conversation": 0}


class ARoll:
    def read(self) -> list[Told]:
        return [Told(slots=1, running=0, leased=0, is_draining=False)]


def labels_of(registry: CollectorRegistry) -> dict[str, set[str]]:
    """Every series of the registry, with the labels that it may have."""
    return {
        name: set(getattr(collector, "_labelnames", ())) for name, collector in registry._names_to_collectors.items()
    }


@pytest.fixture
def exposed(db: None) -> dict[str, set[str]]:
    assert isinstance(application._watch, Requests)
    figures = measuring.Figures(lambda: QUEUES, ARoll())  # type: ignore[arg-type] # all that is asked of a roll
    found: dict[str, set[str]] = {}
    for registry in (REGISTRY, metrics._read_figures(), metrics._read_censuses(), measuring.OURS, figures._asked()):
        found |= labels_of(registry)
    return found


def dashboard() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((OPS / "dashboard.json").read_text())
    return read


def rules() -> list[dict[str, Any]]:
    read = yaml.safe_load((OPS / "alerts.yml").read_text())
    return [rule for group in read["groups"] for rule in group["rules"]]


def expressions() -> list[str]:
    panels = [target["expr"] for panel in dashboard()["panels"] for target in panel.get("targets", ())]
    return panels + [rule["expr"] for rule in rules()]


def test_every_metric_that_is_named_is_exposed(exposed: dict[str, set[str]]) -> None:
    named = {name for expression in expressions() for name in METRIC.findall(expression)}
    assert len(named) > 25
    assert sorted(named - set(exposed)) == []


def test_every_label_that_is_named_is_one_of_its_metric(exposed: dict[str, set[str]]) -> None:
    for expression in expressions():
        grouped = {label.strip() for labels in GROUPED.findall(expression) for label in labels.split(",")}
        asked = grouped | set(CHOSEN.findall(expression))
        known = set[str]().union(*(exposed[name] for name in METRIC.findall(expression))) | OF_PROMETHEUS
        assert (expression, sorted(asked - known)) == (expression, [])


def test_a_metric_of_our_own_is_looked_at_by_somebody(exposed: dict[str, set[str]]) -> None:
    """Nothing is counted for nobody: what a panel or an alert does not show is not worth its cost."""
    named = {name for expression in expressions() for name in METRIC.findall(expression)}
    ours = {name for name in exposed if name.startswith("mutirao_") and not name.endswith(("_sum", "_count"))}
    families = {re.sub(r"_(total|bucket|created)$", "", name) for name in ours}
    assert sorted(families - {re.sub(r"_(total|bucket)$", "", name) for name in named}) == []


def test_the_dashboard_can_be_imported_anywhere() -> None:
    """Its data source is a variable, ids are its own, and panels do not lie over each other."""
    panels = dashboard()["panels"]
    assert [variable["type"] for variable in dashboard()["templating"]["list"]] == ["datasource"]
    assert {panel["datasource"]["uid"] for panel in panels if panel["type"] != "row"} == {"${datasource}"}
    assert len({panel["id"] for panel in panels}) == len(panels)
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_every_alert_says_what_to_do() -> None:
    assert [rule["alert"] for rule in rules() if not rule["annotations"]["summary"].endswith(".")] == []
    assert {rule["labels"]["severity"] for rule in rules()} == {"page", "ticket"}
    assert len({rule["alert"] for rule in rules()}) == len(rules())
