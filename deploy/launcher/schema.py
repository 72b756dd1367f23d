"""python -m deploy.launcher.schema migrate [seed]: bring the schema up to date, grant, and seed; as its owner.

One process for all three, since loading Django takes longer than any of them. Only the seed's JSON goes to stdout.
"""

import os
import sys

import django
from django.core.management import call_command


def main(*, is_seeding: bool) -> None:
    """The api knows by the first argument, `migrate`, that the schema's owner is at work."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "api.settings")
    django.setup()
    call_command("migrate", interactive=False, stdout=sys.stderr)
    call_command("grant_app_role", stdout=sys.stderr)
    if is_seeding:
        call_command("seed_demo", json=True)


if __name__ == "__main__":
    main(is_seeding="seed" in sys.argv[2:])
