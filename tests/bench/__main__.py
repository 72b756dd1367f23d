"""`python -m tests.bench`: both parts in processes of their own; the last line is the document."""

import json
import subprocess
import sys

from tests.bench.document import KEYS

PARTS = ("tests.bench.alone", "tests.bench.whole")
DIGITS = 3


def main() -> None:
    document: dict[str, float] = {}
    for part in PARTS:
        print(f"measuring {part} …", file=sys.stderr, flush=True)  # noqa: T201 - progress
        said = subprocess.run([sys.executable, "-m", part], stdout=subprocess.PIPE, check=True)
        document |= json.loads(said.stdout.splitlines()[-1])
    print(json.dumps(checked(document)))  # noqa: T201 - the answer


def checked(document: dict[str, float]) -> dict[str, float]:
    """With every figure that is promised and no other, rounded."""
    if document.keys() != KEYS:
        raise SystemExit(f"the document is not what it must be: {sorted(KEYS ^ document.keys())}")
    return {key: round(figure, DIGITS) for key, figure in document.items()}


if __name__ == "__main__":
    main()
