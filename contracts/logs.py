"""How both services write their logs: one JSON object a line for machines, the same as words for a terminal."""

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from contracts import story
from contracts.redaction import redact

JSON, LINES = "json", "lines"
OURS = ("api", "engine")
FACTS = ("method", "route", "status", "ms", "code")
"""What a line may carry beside its ids, by `extra`; nothing else, so that no text of a prompt gets in by chance."""
MAX_EVENT_CHARS = 4_000


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    facts = {name: value for name in FACTS if (value := getattr(record, name, None)) is not None}
    return {**story.current(), **facts}


def _failure(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    return redact(formatter.formatException(record.exc_info)) if record.exc_info else ""


class JsonLine(logging.Formatter):
    """time, level, logger, event, service, then ids and facts where they are known."""

    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": redact(record.getMessage())[:MAX_EVENT_CHARS],
            "service": self._service,
            **_fields(record),
        }
        if failure := _failure(self, record):
            line["exception"] = failure
        return json.dumps(line, ensure_ascii=False, default=str)


class Words(logging.Formatter):
    """The same for a person at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).strftime("%H:%M:%S.%f")[:-3]
        event = redact(record.getMessage())[:MAX_EVENT_CHARS]
        fields = " ".join(f"{name}={value}" for name, value in _fields(record).items())
        failure = _failure(self, record)
        return f"{at} {record.levelname:<7} {record.name}: {event} {fields}".rstrip() + (failure and f"\n{failure}")


def configuration(service: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """For `logging.config.dictConfig`: ours from the level asked for, libraries from warnings on."""
    form = environment.get("MUTIRAO_LOG_FORMAT") or JSON
    level = (environment.get("MUTIRAO_LOG_LEVEL") or "info").upper()
    if form not in (JSON, LINES):
        raise ValueError(f"MUTIRAO_LOG_FORMAT is {JSON} or {LINES}")
    if level not in ("DEBUG", "INFO", "WARNING", "ERROR"):
        raise ValueError("MUTIRAO_LOG_LEVEL is debug, info, warning or error")
    name = environment.get("MUTIRAO_PROCESS") or service
    formatter = {"()": Words} if form == LINES else {"()": JsonLine, "service": name}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {name: {"level": level} for name in OURS},
    }
