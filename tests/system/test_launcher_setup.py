"""What a person reads when this machine lacks something: one sentence with the remedy, and no traceback."""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from deploy import prepare
from deploy.launcher import __main__ as launcher
from tests.plugins.stack import ROOT

PRETEND_OLD = (
    "import sys; sys.version_info = (3, 6, 9); __file__ = {0!r}; sys.argv = [{0!r}, 'run']; exec(open({0!r}).read())"
)


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The one line on stderr of a run that failed."""
    assert done.returncode != 0
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clean clone as far as the setup looks at it."""
    (tmp_path / "deploy").mkdir()
    for name in ("bootstrap.py", "prepare.py"):
        shutil.copy(ROOT / "deploy" / name, tmp_path / "deploy" / name)
    for lock in ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock"):
        shutil.copy(ROOT / lock, tmp_path / lock)
    return tmp_path


def setup(checkout: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **extra}
    command = [getattr(sys, "_base_executable", sys.executable), "deploy/bootstrap.py", "setup"]
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)


def test_a_python_that_is_too_old_says_so(tmp_path: Path) -> None:
    code = PRETEND_OLD.format(str(ROOT / "deploy" / "bootstrap.py"))
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert sentence(done) == (
        "Mutirao needs Python 3.11 or newer and found only 3.6.9: install it, or name it with PYTHON=/path/to/python3."
    )


def test_a_python_that_is_too_old_hands_over_to_a_newer_one_on_the_path(tmp_path: Path) -> None:
    newer = tmp_path / "python3.12"
    newer.write_text('#!/bin/sh\necho "handed over to $1"\n')
    newer.chmod(0o755)
    code = PRETEND_OLD.format(str(ROOT / "deploy" / "bootstrap.py"))
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.stdout == f"handed over to {ROOT}/deploy/prepare.py\n"


def test_the_first_step_uses_no_syntax_that_an_old_python_lacks() -> None:
    source = (ROOT / "deploy" / "bootstrap.py").read_text()
    assert [word for word in (' f"', "def ", "print(", "->", ":=") if word in source] == []


def test_a_python_without_the_venv_module_says_so(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "shadow").mkdir()
    (tmp_path / "shadow" / "venv.py").write_text("raise SystemExit(1)\n")
    said = sentence(setup(checkout, PYTHONPATH=str(tmp_path / "shadow")))
    assert said.startswith("This Python cannot create a virtual environment: install its venv module")


def test_without_a_network_the_setup_says_so(checkout: Path) -> None:
    said = sentence(setup(checkout, PIP_NO_INDEX="1", PIP_FIND_LINKS="", PATH=path_without("uv")))
    assert said.startswith("The packages of requirements-dev.lock could not be installed: check the network")


def test_without_git_the_setup_says_so(checkout: Path, tmp_path: Path) -> None:
    assert sentence(setup(checkout, PATH=str(tmp_path))).startswith("Mutirão needs git: install it")


def test_a_disk_that_is_nearly_full_stops_the_setup_before_it_begins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(prepare, "PYTHON", tmp_path / "none")
    monkeypatch.setattr(prepare, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10**6))
    with pytest.raises(prepare.Refusal, match=r"The disk is nearly full \(1 MB free\)"):
        prepare.make_venv()


@pytest.mark.parametrize("sentence_for", [launcher.sentence_for, prepare.sentence_for])
def test_a_disk_that_fills_up_is_one_sentence(sentence_for: Callable[[OSError], str]) -> None:
    said = sentence_for(OSError(errno.ENOSPC, "No space left on device"))
    assert said.startswith("The disk")
    assert said.count("\n") == 0


def test_an_installed_lock_is_not_installed_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    python, stamp, lock = tmp_path / "python", tmp_path / "stamp", tmp_path / "lock"
    python.touch()
    lock.write_text("a==1\n")
    monkeypatch.setattr(prepare, "PYTHON", python)
    monkeypatch.setattr(prepare, "STAMP", stamp)
    monkeypatch.setattr(prepare, "DEV_LOCK", lock)
    stamp.write_text(prepare.fingerprint(lock))
    assert prepare.is_installed(lock)
    lock.write_text("a==2\n")
    assert not prepare.is_installed(lock)


def path_without(program: str) -> str:
    """PATH without the folders that hold `program`."""
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if not (Path(folder) / program).exists())
