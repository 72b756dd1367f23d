"""The server from a shell."""

import argparse
import json
import signal
import threading
from pathlib import Path

from tests.fakes.model_server.replies import Reply
from tests.fakes.model_server.server import ModelServer


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted server that speaks OpenAI's chat completions.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path, help="a JSON list of replies, played in order")
    asked = parser.parse_args()
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    with ModelServer(port=asked.port) as server:
        if asked.script:
            server.play(*(Reply.model_validate(each) for each in json.loads(asked.script.read_text())))
        print(server.url, flush=True)  # noqa: T201 - this is what the caller waits for
        stop.wait()


if __name__ == "__main__":
    main()
