"""Makes the lock files: every package with its hashes, and no address."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILE = ("pip", "compile", "--quiet", "--universal", "--generate-hashes", "--no-header", "--no-annotate")
LOCKS = {
    "requirements.lock": ("pyproject.toml",),
    "requirements-dev.lock": ("pyproject.toml", "--group", "dev"),
}
UV_LOCK = "requirements-uv.lock"


def compile_lock(name: str, sources: tuple[str, ...], options: list[str]) -> str:
    """The text of one lock, resolved by uv; versions locked before stay unless --upgrade is among `options`."""
    uv = Path(sys.executable).with_name("uv")
    target = ROOT / name
    fresh = target.with_suffix(".fresh")
    fresh.write_text(target.read_text() if target.exists() else "")
    try:
        subprocess.run([uv, *COMPILE, *options, *sources, "--output-file", fresh.name], cwd=ROOT, check=True)
        return fresh.read_text()
    finally:
        fresh.unlink()


def only_uv(lock: str) -> str:
    """The entry of uv itself, cut out of the development lock, so that the installer is pinned too."""
    start = lock.index("\nuv==") + 1
    lines = lock[start:].splitlines(keepends=True)
    hashes = lines[1:]
    end = next((n for n, line in enumerate(hashes) if not line.startswith(" ")), len(hashes))
    return lines[0] + "".join(hashes[:end])


def main(options: list[str]) -> int:
    """Write all locks, or none when one of them names an address."""
    os.environ.pop("VIRTUAL_ENV", None)
    texts = {name: compile_lock(name, sources, options) for name, sources in LOCKS.items()}
    texts[UV_LOCK] = only_uv(texts["requirements-dev.lock"])
    for name, text in texts.items():
        if "://" in text:
            print(f"{name} would hold an address: depend on released packages by name only.", file=sys.stderr)
            return 1
    for name, text in texts.items():
        (ROOT / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
