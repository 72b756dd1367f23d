"""`python -m api <command>`: Django's management door without `manage.py` (which would shadow package names)."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "api.settings")
    execute_from_command_line(["python -m api", *sys.argv[1:]])


if __name__ == "__main__":
    main()
