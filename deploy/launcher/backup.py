"""python -m deploy.launcher backup FILE, restore FILE: everything of one home in one file, and a new home from it."""

import json
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg

from deploy.launcher import archive, home, plan, postgres, snapshot, start
from deploy.launcher.keyring import write_private
from deploy.launcher.options import Options
from deploy.launcher.plan import Plan
from deploy.launcher.refusal import Refusal
from deploy.launcher.report import Report
from deploy.launcher.supervisor import Supervisor

OWN_DATABASE = "DATABASE_URL names a database of your own: unpack the file with tar and load it with pg_restore."
MAX_WORDS = 20
"""Lines of a command that failed."""
PASSPHRASE = "MUTIRAO_BACKUP_PASSPHRASE"  # noqa: S105 - the name of a variable


@dataclass(frozen=True)
class Record:
    """Of the last backup, whether it went well or not; `api.surfaces.ops.backups` reads it."""

    began_at: float
    seconds: float
    is_ok: bool
    bytes: int
    error: str


def take(options: Options, file: Path, environment: Mapping[str, str]) -> None:
    """While the house runs; what is written meanwhile is not in it."""
    if not (options.home / home.RUN).exists():
        raise Refusal(f"Mutirão does not run from {options.home}: start it with make run, then take the backup.")
    began, clock, error = time.time(), time.monotonic(), "it was broken off"
    try:
        manifest = _write(plan.redraw(options), file.resolve(), environment.get(PASSPHRASE, ""))
        error = ""
    except (Refusal, OSError, psycopg.Error) as failure:
        error = str(failure)
        raise
    finally:
        size = file.stat().st_size if not error else 0
        record = Record(began, round(time.monotonic() - clock, 3), not error, size, error)
        write_private(options.home / home.BACKUP, json.dumps(asdict(record)) + "\n")
    print(f"{file}: {sum(manifest.rows.values())} rows, {len(manifest.heads)} logs, {size} bytes.")
    if not environment.get(PASSPHRASE):
        print(f"It holds this home's secrets in clear: keep it as you keep them, or set {PASSPHRASE}.", file=sys.stderr)


def _write(drawn: Plan, file: Path, passphrase: str) -> archive.Manifest:
    file.parent.mkdir(parents=True, exist_ok=True)
    url = drawn.addresses.migration_database_url or drawn.addresses.database_url
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup-") as folder, snapshot.held(url) as (view, name):
        manifest, dump = snapshot.manifest(view), Path(folder) / archive.DUMP
        snapshot.dump(url, name, dump)
        archive.write(file, manifest, dump, drawn.options.home / home.SECRETS, passphrase)
    return manifest


def restore(options: Options, file: Path, environment: Mapping[str, str]) -> None:
    """Only into a home where nothing is; when anything is not as it was, nothing is left behind."""
    if not options.owns_database:
        raise Refusal(OWN_DATABASE)
    with archive.opened(file) as opened, home.locked(options.home):
        if any((options.home / name).exists() for name in (home.SECRETS, home.PORTS)):
            raise Refusal(f"{options.home} is in use already: name a new folder with MUTIRAO_HOME.")
        manifest = archive.manifest_of(opened)
        secrets = archive.secrets_of(opened, environment.get(PASSPHRASE, ""))
        with tempfile.TemporaryDirectory(dir=options.home, prefix=".restore-") as folder:
            opened.extract(archive.DUMP, folder, filter="data")
            dump = Path(folder) / archive.DUMP
            _require_listed(dump, manifest)
            try:
                if secrets is not None:
                    write_private(options.home / home.SECRETS, secrets.decode())
                drawn = plan.draw(options)
                if drawn.cluster:
                    _fill(drawn, drawn.cluster, dump, manifest)
            except BaseException:
                home.forget(options.home)
                raise
    print(f"{options.home} is as it was at {manifest.taken_at}: start it with make run.")


def _require_listed(dump: Path, manifest: archive.Manifest) -> None:
    contents = snapshot.listed(dump)
    missing = [name for name in manifest.rows if f"TABLE DATA public {name} " not in contents]
    if missing:
        raise Refusal(f"The dump lacks {', '.join(missing)}: the backup is damaged, take another.")


def _fill(drawn: Plan, cluster: postgres.Cluster, dump: Path, manifest: archive.Manifest) -> None:
    """Load, compare with the manifest, bring the schema up to date, walk every chain."""
    report, supervisor = Report(), Supervisor(drawn.options.home / home.LOGS)
    supervisor.listen()
    try:
        start.start_postgres(cluster, supervisor)
        report.done("PostgreSQL")
        snapshot.load(cluster.owner_url, dump)
        report.done("rows")
        if found := snapshot.differences(cluster.owner_url, manifest):
            raise Refusal(f"The restored database is not what was saved: {'; '.join(found)}.")
        supervisor.complete(plan.migrate(drawn))
        report.done("migrations and grants")
        _walk_chains(drawn, supervisor)
        report.done(f"{len(manifest.heads)} chains walked")
    finally:
        supervisor.stop()


def _walk_chains(drawn: Plan, supervisor: Supervisor) -> None:
    """What the command says is told here: its log goes with the house that is not made."""
    command = plan.verify_logs(drawn)
    try:
        supervisor.complete(command)
    except Refusal as refusal:
        log = drawn.options.home / home.LOGS / f"{command.name}.log"
        said = log.read_text(errors="replace").splitlines()[-MAX_WORDS:]
        raise Refusal("\n".join(["The backup's history does not verify:", *said])) from refusal
