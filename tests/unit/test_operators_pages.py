"""Every setting has its row and every alert its section, and neither page names what does not exist."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
NAME = r"(?:(?!PIP_)(?:MUTIRAO_[A-Z_]*[A-Z]|[A-Z_]+_(?:URL|KEYS)|HOST|PORT|FORCE))"
ASKED = rf'(?:environ|environment|given|outer)(?:\.get\(|\[|, )"({NAME})"'
READ = re.compile(rf'{ASKED}|^[A-Z_]+ = "(MUTIRAO_[A-Z_]+)"', re.MULTILINE)
NUMBER = re.compile(rf'(?:whole_number|_required|_keys)\(\w+, "({NAME})"')


def _named_in_code() -> set[str]:
    from api.environment import Environment

    found = {name.upper() for name in Environment.model_fields}
    for folder in ("api", "engine", "contracts", "deploy"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text()
            found |= {name for pair in READ.findall(text) for name in pair if name}
            found |= set(NUMBER.findall(text))
    return found


def test_every_setting_that_a_process_reads_has_a_row() -> None:
    page = (ROOT / "docs/settings.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)} == _named_in_code()


def test_every_alert_has_a_section_in_the_runbook() -> None:
    groups = yaml.safe_load((ROOT / "deploy/ops/alerts.yml").read_text())["groups"]
    alerts = [rule["alert"] for group in groups for rule in group["rules"]]
    assert re.findall(r"^### (\w+)$", (ROOT / "docs/runbook.md").read_text(), re.MULTILINE) == alerts
