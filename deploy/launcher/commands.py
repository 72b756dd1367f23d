"""What a person may ask of the launcher besides running: start over, seed again."""

import subprocess
import sys
from collections.abc import Mapping

from deploy.launcher import home, plan
from deploy.launcher.options import Options
from deploy.launcher.refusal import Refusal

OPERATORS = ("doctor", "verify_log", "anchor_logs", "rotate_keys", "prune")


def reset(options: Options, environment: Mapping[str, str]) -> None:
    """Forget all data of this home, unless it is in use or the person thinks better of it."""
    if not options.home.exists():
        print(f"{options.home} is not there: nothing to forget.")
        return
    with home.locked(options.home):
        if environment.get("FORCE") != "1" and not is_confirmed(options):
            raise Refusal("Nothing was removed.")
        home.forget(options.home)
    print(f"{options.home} is as new.")


def is_confirmed(options: Options) -> bool:
    """Ask; a terminal that is not there cannot answer."""
    if not sys.stdin.isatty():
        raise Refusal("Nothing was removed: say FORCE=1 make reset where nobody can be asked.")
    return input(f"Remove all data in {options.home}? [y/N] ").strip().lower() in {"y", "yes"}


def seed(options: Options) -> None:
    """Write the demonstration data into the running database, if it is our own."""
    if not options.owns_database:
        raise Refusal("DATABASE_URL names a database of your own: demonstration data goes only into one made here.")
    if not (options.home / home.RUN).exists():
        raise Refusal("Mutirão does not run: start it with make run, which also seeds it.")
    child = plan.seed(plan.redraw(options))
    done = subprocess.run(child.argv, cwd=child.folder, env=dict(child.environment), check=False)
    if done.returncode != 0:
        raise Refusal(f"The demonstration data could not be written (exit {done.returncode}): its words are above.")


def manage(options: Options, *words: str) -> int:
    """The command's own exit code."""
    if not words or words[0] not in OPERATORS:
        known = ", ".join(OPERATORS)
        raise Refusal(f'Say which command: make manage DO="verify_log". There are {known}.')
    if not (options.home / home.RUN).exists():
        raise Refusal("Mutirão does not run: start it with make run, then ask again.")
    child = plan.manage(plan.redraw(options), *words)
    return subprocess.run(child.argv, cwd=child.folder, env=dict(child.environment), check=False).returncode
