"""Makes the virtual environment match the lock, compiles translations, then starts what was asked for.

Standard library only: it runs before anything is installed.
"""

import contextlib
import errno
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "installed-lock"
LOG = VENV / "install.log"
LOCK = ROOT / "requirements.lock"
DEV_LOCK = ROOT / "requirements-dev.lock"
UV_LOCK = ROOT / "requirements-uv.lock"
NEEDED_BYTES = 1_000_000_000
SPARE_BYTES = 50_000_000


class Refusal(Exception):
    """A reason not to go on, as one sentence that says what to do."""


def main(arguments: list[str]) -> int:
    """`setup` installs the development lock; `run [module]` the runtime lock and then becomes the launcher."""
    command = arguments[0] if arguments else "run"
    try:
        prepare(DEV_LOCK if command == "setup" else LOCK)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except OSError as error:
        print(sentence_for(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if command == "run":
        module = arguments[1] if len(arguments) > 1 else "deploy.launcher"
        os.chdir(ROOT)
        os.execv(PYTHON, [str(PYTHON), "-m", module, *arguments[2:]])
    return 0


def prepare(lock: Path) -> None:
    """Bring .venv to `lock`, doing nothing when it is there already."""
    if shutil.which("git") is None:
        raise Refusal("Mutirão needs git: install it (on Debian: apt-get install git) and try again.")
    if not is_installed(lock):
        make_venv()
        install(lock)
        write_path_file()
        STAMP.write_text(fingerprint(lock))
    compile_translations()


def is_installed(lock: Path) -> bool:
    """Whether .venv holds `lock`, or the development lock, which contains it."""
    if not PYTHON.exists() or not STAMP.exists():
        return False
    return STAMP.read_text() in {fingerprint(lock), fingerprint(DEV_LOCK)}


def fingerprint(lock: Path) -> str:
    """What the stamp says when `lock` is installed for this Python in this folder."""
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    return f"{sys.version_info.major}.{sys.version_info.minor} {ROOT} {digest}\n"


def make_venv() -> None:
    """Create .venv, anew when an older one is of another Python or moved."""
    STAMP.unlink(missing_ok=True)
    if is_usable_venv():
        return
    free = shutil.disk_usage(ROOT).free
    if free < NEEDED_BYTES:
        raise Refusal(f"The disk is nearly full ({free // 1_000_000} MB free): Mutirão needs about 1 GB to install.")
    print("Creating .venv …", flush=True)
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True, check=False)
    if made.returncode == 0:
        return
    if shutil.disk_usage(ROOT).free < SPARE_BYTES:
        raise Refusal(full_disk())
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    raise Refusal(
        f"This Python cannot create a virtual environment: install its venv module (on Debian: apt-get install "
        f"python{version}-venv) and try again."
    )


def is_usable_venv() -> bool:
    """Whether .venv has our Python's version and a pip that starts."""
    probe = f"import pip, sys; sys.exit(sys.version_info[:2] != {tuple(sys.version_info[:2])})"
    return PYTHON.exists() and subprocess.run([PYTHON, "-c", probe], capture_output=True, check=False).returncode == 0


def install(lock: Path) -> None:
    """Install `lock` with uv, else with pip; both check the hash of every file."""
    print(f"Installing {lock.name} (once; a few seconds with uv, about a minute with pip) …", flush=True)
    with LOG.open("wb") as log:
        if install_with_uv(lock, log.fileno()):
            return
        if run([PYTHON, "-m", "pip", "install", "--require-hashes", "-r", lock], log.fileno()):
            return
    if shutil.disk_usage(ROOT).free < SPARE_BYTES:
        raise Refusal(full_disk())
    raise Refusal(
        f"The packages of {lock.name} could not be installed: check the network and pip's index settings, then try "
        f"again (the installer's own words are in {LOG.relative_to(ROOT)})."
    )


def install_with_uv(lock: Path, log: int) -> bool:
    """Whether uv, the one on PATH or else the pinned one, made .venv equal to `lock`."""
    uv: Path | str | None = shutil.which("uv")
    if uv is None:
        pinned = run([PYTHON, "-m", "pip", "install", "--require-hashes", "--no-deps", "-r", UV_LOCK], log)
        uv = VENV / "bin" / "uv" if pinned else None
    if uv is None:
        return False
    return run([uv, "pip", "install", "--python", PYTHON, "--require-hashes", "-r", lock], log, uv_environment())


def uv_environment() -> dict[str, str]:
    """The environment, with pip's index (which uv does not read) unless uv has one of its own."""
    environment = dict(os.environ)
    asked = subprocess.run(
        [PYTHON, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False
    )
    index = os.environ.get("PIP_INDEX_URL") or asked.stdout.strip()
    if index:
        environment.setdefault("UV_DEFAULT_INDEX", index)
    return environment


def run(command: list[Path | str], log: int, environment: dict[str, str] | None = None) -> bool:
    """Whether `command` succeeded; what it printed goes to the log."""
    with contextlib.suppress(OSError):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, check=False)
        return done.returncode == 0
    return False


def write_path_file() -> None:
    """Put the checkout on the path of .venv, so that its tools find the packages from anywhere."""
    for packages in (VENV / "lib").glob("python*/site-packages"):
        (packages / "mutirao.pth").write_text(f"{ROOT}\n")


def compile_translations() -> None:
    """Compile each catalogue that is newer than its compiled form."""
    stale = [po for po in (ROOT / "api" / "locale").glob("*/LC_MESSAGES/*.po") if is_stale(po)]
    if not stale:
        return
    done = subprocess.run([PYTHON, "-m", "deploy.translations", *stale], cwd=ROOT, check=False)
    if done.returncode != 0:
        raise Refusal("The translations could not be compiled: correct the catalogue named above.")


def is_stale(catalogue: Path) -> bool:
    """Whether the compiled form is missing or older."""
    compiled = catalogue.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime < catalogue.stat().st_mtime


def full_disk() -> str:
    """The sentence for a disk with no room left."""
    return f"The disk that holds {ROOT} is full: free about 1 GB and try again."


def sentence_for(error: OSError) -> str:
    """An operating system's refusal, with its remedy."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return full_disk()
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return f"{error.filename or ROOT} cannot be written: give this user write access to it and try again."
    return f"The setup could not go on ({error}): correct that and try again."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
