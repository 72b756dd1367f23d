"""The logs of an engine process, set up before anything is said."""

import logging
import logging.config
import os

from contracts.logs import configuration


def start() -> None:
    """Python's warnings are lines too. Leaves with one sentence when the environment asks for an unknown form."""
    try:
        logging.captureWarnings(capture=True)
        logging.config.dictConfig(configuration("engine", os.environ))
    except ValueError as error:
        raise SystemExit(f"The engine cannot start: {error}.") from None
