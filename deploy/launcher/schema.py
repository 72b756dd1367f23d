"""python -m deploy.launcher.schema migrate: bring the schema up to date and grant the app role what it may do.

One process for both, since loading Django takes longer than either.
"""

import os

import django
from django.core.management import call_command


def main() -> None:
    """As the schema's owner; the api knows by the word `migrate` that it is one."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "api.settings")
    django.setup()
    call_command("migrate", interactive=False)
    call_command("grant_app_role")


if __name__ == "__main__":
    main()
