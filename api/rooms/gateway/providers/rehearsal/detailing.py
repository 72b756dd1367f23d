"""The generator's part: four tasks of the story that was laid before it, always the same for the same story."""

import re
from dataclasses import dataclass

from api.rooms.gateway.domain.scripts import Entry
from api.rooms.gateway.providers.rehearsal.calls import call, short
from api.rooms.gateway.providers.rehearsal.conversation import Conversation
from contracts.vocabulary import Language

WRITE = "write_tasks"
STORY = re.compile(r"^# Story (S-\d+) “(.+?)” of ", re.MULTILINE)
REQUIREMENT = re.compile(r"^Functional requirements:\n- (.+)$", re.MULTILINE)
MODULES = re.compile(r"^# modules\n(.+?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
MAX_TITLE_CHARS = 150


@dataclass(frozen=True)
class Words:
    """Title and description by domain; slots are filled with `format`."""

    tasks: tuple[tuple[str, str, str], ...]
    nothing: str


OF_LANGUAGE = {
    Language.ENGLISH: Words(
        (
            (
                "database",
                "Keep what “{title}” needs",
                "Tables and constraints, so nothing is half written. {where}",
            ),
            ("backend", "Make “{title}” hold", "{requirement} Refusals say what is wrong and what to do. {where}"),
            ("frontend", "Show “{title}” to people", "It is seen whether it went well, on a phone too. {where}"),
            ("testing", "Try “{title}” out", "One test for each acceptance criterion, and what happens twice at once."),
        ),
        "as the story says.",
    ),
    Language.PORTUGUESE: Words(
        (
            (
                "database",
                "Guardar o que “{title}” precisa",
                "Tabelas e restrições: nada pela metade. {where}",
            ),
            (
                "backend",
                "Fazer valer “{title}”",
                "{requirement} Recusas dizem o que houve e o que fazer. {where}",
            ),
            ("frontend", "Mostrar “{title}” às pessoas", "Vê-se se deu certo, também no celular. {where}"),
            (
                "testing",
                "Testar “{title}”",
                "Um teste para cada critério de aceitação, e o que dois ao mesmo tempo fazem.",
            ),
        ),
        "como diz a história.",
    ),
}


def perform(conversation: Conversation) -> Entry:
    """From the story's own words."""
    words, told = OF_LANGUAGE[conversation.language], conversation.last_words
    story = STORY.search(told)
    title = story[2][:MAX_TITLE_CHARS] if story else words.nothing
    requirement = REQUIREMENT.search(told)
    modules = MODULES.search(told)
    names = [line.split(" (")[0] for line in modules[1].splitlines()] if modules else []
    slots = {
        "title": title.rstrip("."),
        "requirement": short(requirement[1]) if requirement else words.nothing,
        "where": f"({', '.join(names)})" if names else "",
    }
    tasks = [
        {"domain": domain, "title": named.format_map(slots), "description": told_of.format_map(slots).strip()}
        for domain, named, told_of in words.tasks
    ]
    return Entry(tool_calls=(call(WRITE, {"tasks": tasks}),))
