"""A document becomes a backlog: looked at first (a dry run), made in one transaction, told in a session of its own."""

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from pydantic import ValidationError

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.architecture.selectors import module_names
from api.rooms.backlog.domain.documents import (
    BacklogDocument,
    EpicRow,
    FeatureRow,
    IterationRow,
    RuleRow,
    StoryRow,
    TaskRow,
)
from api.rooms.backlog.formats import foreign, table
from api.rooms.backlog.models import Epic, Iteration, Rule, Story, StoryModule, Task
from api.rooms.backlog.services import contents, numbering, refusing, rules, standing, stories, tasks
from api.rooms.backlog.services.epics import create_epic, epic_of
from api.rooms.backlog.services.features import create_feature
from api.rooms.backlog.services.iterations import tell_iteration
from api.rooms.backlog.services.writing import Writer
from api.rooms.kernel.refusals import Refusal
from contracts.artifacts import BusinessRule
from contracts.limits import MAX_DOCUMENT_CHARS, MAX_NAME_CHARS
from contracts.problem import ProblemCode
from contracts.text import fold
from contracts.vocabulary import SessionKind, StoryStatus, TaskStatus

ORIGIN = 1
"""What imported rules come from: the opening of the session in which a person imported them."""
READERS: dict[str, Callable[[str], dict[str, Any]]] = {"csv": table.read, **foreign.READERS}
IMPORTS = ("json", *READERS)
MAX_WRONG = 20


@dataclass(frozen=True)
class Item:
    """`code` is the one it has in the document, `made` the one it gets (or would get) here."""

    kind: str
    code: str
    made: str
    title: str


@dataclass(frozen=True)
class Imported:
    """`skipped` say why; `session_id` is null in a dry run."""

    made: tuple[Item, ...]
    skipped: tuple[str, ...]
    session_id: UUID | None


def read_document(kind: str, text: str) -> BacklogDocument:
    """Raises Refusal that says where the text is wrong."""
    if len(text) > MAX_DOCUMENT_CHARS:
        raise Refusal(ProblemCode.TOO_LARGE, f"A document has at most {MAX_DOCUMENT_CHARS} characters.")
    if "\x00" in text:
        raise Refusal(ProblemCode.INVALID_BODY, "The text has a NUL character in it: it is no text.")
    try:
        if kind == "json":
            return BacklogDocument.model_validate_json(text)
        if kind not in READERS:
            raise Refusal(ProblemCode.INVALID_BODY, f"The format is one of: {', '.join(IMPORTS)}.", {"field": "format"})
        return BacklogDocument.model_validate_json(json.dumps(READERS[kind](text)))
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:MAX_WRONG]]
        raise Refusal(ProblemCode.INVALID_BODY, "; ".join(wrong)) from None
    except (ValueError, KeyError, RecursionError, csv.Error) as error:
        raise Refusal(ProblemCode.INVALID_BODY, f"This is no {kind} document: {error}") from None


def dry_run(project_id: UUID, user_id: UUID, document: BacklogDocument) -> Imported:
    """What would be made, found by making it and taking it back."""
    with transaction.atomic():
        found = bring_in(project_id, user_id, document)
        transaction.set_rollback(True)
    return Imported(found.made, found.skipped, None)


@transaction.atomic
def bring_in(project_id: UUID, user_id: UUID, document: BacklogDocument) -> Imported:
    """All of it; what is there already by its title is used and not made again."""
    name = f"Import {document.project}".strip()[:MAX_NAME_CHARS]
    session_id = agent_sessions.open_session(project_id, user_id, SessionKind.CONSULTATIVE, name)
    agent_sessions.lock(session_id)
    numbering.lock(project_id)
    bringing = Bringing(Writer(session_id, project_id, user_actor(user_id)))
    for rule in document.rules:
        bringing.rule(rule)
    for epic in document.epics:
        bringing.epic(epic)
    for feature in document.features:
        bringing.feature(feature)
    for story in document.stories:
        bringing.story(story)
    for task in document.tasks:
        bringing.task(task)
    bringing.settle()
    for each in document.iterations:
        bringing.iteration(each)
    return Imported(tuple(bringing.made), tuple(bringing.skipped), session_id)


@dataclass
class Bringing:
    """Codes of the document and those they became here."""

    writer: Writer
    codes: dict[str, str] = field(default_factory=dict)
    made: list[Item] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    born: list[tuple[Story, StoryRow]] = field(default_factory=list)

    def rule(self, row: RuleRow) -> None:
        known = Rule.objects.filter(project_id=self.writer.project_id, title_folded=fold(row.title)).first()
        if known is not None:
            self._there(row.code, known.merged_into.code if known.merged_into else known.code, row.title)
            return
        numbering.prefer(self.writer.project_id, "next_rule", row.code, Rule)
        event = rules.emit_rule(
            self.writer, BusinessRule(title=row.title, description=row.description, origin=(ORIGIN,))
        )
        self._made("rule", row.code, getattr(event.payload, "code", "") or "", row.title)

    def epic(self, row: EpicRow) -> None:
        there = Epic.objects.filter(project_id=self.writer.project_id)
        known = next((each for each in there if fold(each.title) == fold(row.title)), None)
        if known is not None:
            self._there(row.code, known.code, row.title)
            return
        numbering.prefer(self.writer.project_id, "next_epic", row.code, Epic)
        self._made("epic", row.code, create_epic(self.writer, row.title, row.description).code, row.title)

    def feature(self, row: FeatureRow) -> None:
        epic = epic_of(self.writer.project_id, self._here(row.epic, f"feature {row.code}"))
        known = next((each for each in epic.features.all() if fold(each.title) == fold(row.title)), None)
        if known is not None:
            self._there(row.code, known.code, row.title)
            return
        lists = row.acceptance_criteria, row.test_scenarios
        made = create_feature(self.writer, epic.code, row.title, row.description, *lists)
        self._made("feature", row.code, made.code, row.title)

    def story(self, row: StoryRow) -> None:
        known = Story.objects.filter(project_id=self.writer.project_id, title_folded=fold(row.content.title)).first()
        if known is not None:
            self._there(row.code, known.code, row.content.title)
            return
        epic = self._here(row.epic, f"story {row.code}")
        cited = tuple(self._here(code, f"story {row.code}") for code in row.content.rules)
        numbering.prefer(self.writer.project_id, "next_story", row.code, Story)
        content = row.content.model_copy(update={"rules": cited})
        feature = self._here(row.feature, f"story {row.code}") if row.feature else None
        made = stories.create_story(self.writer, epic, content, feature).story
        self._made("story", row.code, made.code, made.title)
        self.born.append((Story.objects.get(project_id=self.writer.project_id, title_folded=fold(made.title)), row))

    def settle(self) -> None:
        """After their tasks: the stories that were made get their modules and their statuses."""
        known = module_names(self.writer.project_id)
        for story, row in self.born:
            self._settle(story, row, known)

    def _settle(self, story: Story, row: StoryRow, known: frozenset[str]) -> None:
        """Modules that are known here, and the status as far as the story may have it."""
        StoryModule.objects.bulk_create(StoryModule(story=story, name=name) for name in row.modules if name in known)
        gone = [name for name in row.modules if name not in known]
        if gone:
            self.skipped.append(f"{row.code}: there is no module {', '.join(gone)} here.")
        for status in _way(StoryStatus(story.status), row.status):
            if contents.lacks_of(story, contents.content_of(story)):
                self.skipped.append(f"{row.code}: it is not complete, so it stays a draft.")
                return
            standing.move(self.writer, story, status)

    def task(self, row: TaskRow) -> None:
        story = self._here(row.story, f"task {row.code}")
        there = Task.objects.filter(project_id=self.writer.project_id, removed_at=None, title=row.title)
        known = there.filter(story__number=int(story.removeprefix("S-"))).first()
        if known is not None:
            self._there(row.code, known.code, row.title)
            return
        numbering.prefer(self.writer.project_id, "next_task", row.code, Task)
        made = tasks.create_task(self.writer, story, row.title, row.description)
        changes = {"domain": row.domain or "", "is_locked": row.is_locked, "blocked_reason": row.blocked_reason}
        status = TaskStatus.TODO if row.blocked_reason else row.status
        Task.objects.filter(project_id=self.writer.project_id, number=int(made.code.removeprefix("T-"))).update(
            **changes, status=status
        )
        self._made("task", row.code, made.code, row.title)

    def iteration(self, row: IterationRow) -> None:
        numbering.prefer(self.writer.project_id, "next_iteration", row.code, Iteration)
        made = Iteration.objects.create(
            project_id=self.writer.project_id,
            session_id=self.writer.session_id,
            number=numbering.take(self.writer.project_id, "next_iteration"),
            title=refusing.title(row.title),
            capacity=row.capacity,
        )
        for place, code in enumerate(row.stories, 1):
            number = int(self._here(code, f"iteration {row.code}").removeprefix("S-"))
            Story.objects.filter(project_id=self.writer.project_id, number=number).update(iteration=made, place=place)
        tell_iteration(self.writer, made)
        self._made("iteration", row.code, made.code, made.title)

    def _made(self, kind: str, code: str, made: str, title: str) -> None:
        self.codes[code] = made
        self.made.append(Item(kind, code, made, title))

    def _there(self, code: str, known: str, title: str) -> None:
        self.codes[code] = known
        self.skipped.append(f"{code}: “{title}” is there already, as {known}.")

    def _here(self, code: str, what: str) -> str:
        """Raises Refusal: a link that leads nowhere would be half a backlog."""
        if code not in self.codes:
            raise refusing.invalid(f"{what} names {code}, and the document has no such thing.", unknown=code)
        return self.codes[code]


def _way(now: StoryStatus, to: StoryStatus) -> Sequence[StoryStatus]:
    """The moves from one status to a later one; none when it is there already."""
    order = tuple(StoryStatus)
    return order[order.index(now) + 1 : order.index(to) + 1]
