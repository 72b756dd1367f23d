"""Furnishes the house whose environment it runs in, for a person of its own; prints ids by name as JSON."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "api.settings")
django.setup()

from api.rooms.accounts.models import User  # noqa: E402 - after setup
from api.rooms.projects import services as projects  # noqa: E402
from contracts.vocabulary import Language  # noqa: E402
from tests.browser.furniture import architecture, models, money, stories, talk  # noqa: E402

EMAIL, PASSWORD = "bia@mutirao.local", "furniture"
PROJECTS = {Language.ENGLISH: "Jardim Esperança book exchange", Language.PORTUGUESE: "Feira do Jardim Esperança"}


def furnish() -> dict[str, str]:
    person = User.objects.create_user(EMAIL, PASSWORD, name="Bia").id
    workspace = projects.found_workspace("Associação de Moradores", person)
    found = {"email": EMAIL, "password": PASSWORD, "workspace": str(workspace)}
    homes = {
        language: projects.create_project(person, workspace, name, language).id for language, name in PROJECTS.items()
    }
    bare = projects.create_project(person, workspace, "Horta", Language.PORTUGUESE).id
    found |= models.stock(workspace, person, homes)
    sessions = talk.hold(person, homes)
    for language, project in homes.items():
        money.spend(workspace, project, sessions[language])
        stories.plan(project, sessions[language]["talk"], person, language)
        architecture.decide(project, sessions[language]["talk"], person, language)
        found |= {f"{language}.project": str(project), f"{language}.bare": str(bare)}
        found |= {f"{language}.{name}": str(session) for name, session in sessions[language].items()}
    money.limit(workspace, homes, sessions)
    return found


if __name__ == "__main__":
    print(json.dumps(furnish()))  # noqa: T201 - this process's answer
