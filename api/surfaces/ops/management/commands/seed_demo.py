"""The demonstration workspace; running it again changes nothing and prints the same."""

import json
import os
import secrets
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.conf import settings
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


def _person() -> tuple[UUID, str | None]:
    """Ana and her password; null when she was here before and nobody says what her password is to be."""
    user = User.objects.filter(email=EMAIL).first()
    password = os.environ.get("MUTIRAO_SEED_PASSWORD") or (None if user else secrets.token_urlsafe(12))
    if user is None:
        user = User.objects.create_user(EMAIL, password, name="Ana", is_staff=True, is_superuser=True)
    elif password and not user.check_password(password):
        user.set_password(password)
        user.save()
    return user.id, password


def _workspace(user_id: UUID) -> UUID:
    """With its projects and the rehearsal model, made once."""
    for card in selectors.workspaces_of(user_id):
        if card.name == WORKSPACE:
            return card.id
    workspace_id = services.found_workspace(WORKSPACE, user_id)
    for name, language in PROJECTS:
        services.create_project(user_id, workspace_id, name, language)
    gateway.bind(workspace_id, Subject(Level.WORKSPACE, workspace_id), ModelSpec(REHEARSAL, REHEARSAL))
    return workspace_id


@transaction.atomic
def seed() -> dict[str, str | None]:
    """The password and the token come from the environment when the launcher keeps them, else they are random."""
    user_id, password = _person()
    workspace_id = _workspace(user_id)
    project = next(card for card in selectors.projects_of(user_id) if card.name == PROJECTS[1][0])
    return {
        "url": settings.PUBLIC_URL,
        "email": EMAIL,
        "password": password,
        "token": issue_token(user_id, "seed", os.environ.get("MUTIRAO_SEED_TOKEN") or new_token()),
        "workspace": str(workspace_id),
        "project": str(project.id),
    }
