"""python -m deploy.launcher [run|reset|seed|doctor|manage …|backup FILE|restore FILE]: a failure is one sentence."""

import os
import sys
from pathlib import Path

from deploy.launcher import backup, commands, home, options, start
from deploy.launcher.refusal import Refusal, Stopped


def main(arguments: list[str]) -> int:
    """Do what was asked; 0 also when the person stopped it."""
    try:
        return obey(*(arguments or ["run"]))
    except Stopped:
        return 0
    except KeyboardInterrupt:
        return 130
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
    except OSError as error:
        print(sentence_for(error), file=sys.stderr)
    return 1


def obey(command: str, *words: str) -> int:
    """Read the options and run one command."""
    chosen = options.from_environment(os.environ)
    match command:
        case "run":
            start.run(chosen)
        case "reset":
            commands.reset(chosen, os.environ)
        case "seed":
            commands.seed(chosen)
        case "doctor":
            return commands.manage(chosen, "doctor")
        case "manage":
            return commands.manage(chosen, *words)
        case "backup" | "restore" if len(words) == 1:
            act = backup.take if command == "backup" else backup.restore
            act(chosen, Path(words[0]), os.environ)
        case "backup" | "restore":
            raise Refusal(f"Name one file: make {command} FILE=/path/to/mutirao.backup.")
        case _:
            raise Refusal(f"The launcher knows run, reset, seed, doctor, manage, backup and restore, not {command!r}.")
    return 0


def sentence_for(error: OSError) -> str:
    """An operating system's refusal, with its remedy."""
    if error.errno in home.FULL:
        return "The disk is full: free some space where MUTIRAO_HOME lies and try again."
    return f"The operating system refused ({error}): correct that and try again."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
