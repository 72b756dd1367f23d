"""The demonstration workspace; running it again changes nothing and prints the same."""

import json
import os
import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from api.rooms.accounts.models import User
from api.rooms.accounts.services import issue_token, new_token
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.gateway.services.catalogue import ModelSpec
from api.rooms.projects import selectors, services
from contracts.vocabulary import Language

EMAIL = "ana@mutirao.local"
REHEARSAL = "rehearsal"
WORKSPACE = "Mutirão demo"
PROJECTS = (("Feira do bairro", Language.PORTUGUESE), ("Neighbourhood market", Language.ENGLISH))


class Command(BaseCommand):
    help = "Seeds a workspace, a person and two projects with the rehearsal model."
    requires_system_checks = ()  # they load every page, and this must start quickly

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: Any, **options: Any) -> None:
        document = seed()
        lines = json.dumps(document) if options["json"] else "\n".join(f"{k}: {v}" for k, v in document.items())
        self.stdout.write(lines)


@transaction.atomic
def seed() -> dict[str, str]:
    """The password and the token come from the environment when the launcher keeps them, else they are random."""
    password = os.environ.get("MUTIRAO_SEED_PASSWORD") or secrets.token_urlsafe(12)
    user = User.objects.filter(email=EMAIL).first()
    if user is None:
        user = User.objects.create_user(EMAIL, name="Ana", is_staff=True, is_superuser=True)
    if not user.check_password(password):
        user.set_password(password)
        user.save()
    token = issue_token(user.id, "seed", os.environ.get("MUTIRAO_SEED_TOKEN") or new_token())
    workspaces = [card for card in selectors.workspaces_of(user.id) if card.name == WORKSPACE]
    workspace_id = workspaces[0].id if workspaces else services.found_workspace(WORKSPACE, user.id)
    if not workspaces:
        for name, language in PROJECTS:
            services.create_project(user.id, workspace_id, name, language)
        gateway.bind(workspace_id, Subject(Level.WORKSPACE, workspace_id), ModelSpec(REHEARSAL, REHEARSAL))
    project = next(card for card in selectors.projects_of(user.id) if card.name == PROJECTS[1][0])
    return {
        "email": EMAIL,
        "password": password,
        "token": token,
        "workspace": str(workspace_id),
        "project": str(project.id),
    }
