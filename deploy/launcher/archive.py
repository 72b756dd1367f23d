"""One backup as a file: a manifest, PostgreSQL's own dump, and the secrets without which credentials stay sealed."""

import base64
import io
import json
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from deploy.launcher.refusal import Refusal

FORMAT = 1
MANIFEST, DUMP, SECRETS, SEALED = "manifest.json", "database.dump", "secrets.json", "secrets.sealed"
SALT_BYTES = 16


@dataclass(frozen=True)
class Manifest:
    """What must be there again after a restore: rows by table, and each log's `[next_seq, hash of the head]`."""

    format: int
    taken_at: str
    server: str
    rows: dict[str, int]
    heads: dict[str, tuple[int, str]]


def write(file: Path, manifest: Manifest, dump: Path, secrets: Path, passphrase: str) -> None:
    """Whole or not at all, for its owner's eyes alone."""
    partial = file.with_name(file.name + ".partial")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as target:
        with tarfile.open(fileobj=target, mode="w") as archive:
            _add(archive, MANIFEST, json.dumps(asdict(manifest)).encode())
            if secrets.exists():
                told = secrets.read_bytes()
                _add(archive, *((SEALED, seal(told, passphrase)) if passphrase else (SECRETS, told)))
            archive.add(dump, DUMP)
        target.flush()
        os.fsync(target.fileno())
    partial.replace(file)


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o600
    archive.addfile(entry, io.BytesIO(content))


@contextmanager
def opened(file: Path) -> Iterator[tarfile.TarFile]:
    """The archive; refused in a sentence when it is none."""
    try:
        with tarfile.open(file) as archive:
            yield archive
    except (tarfile.TarError, KeyError, FileNotFoundError, EOFError) as error:
        words = str(error).partition("\n")[0]
        raise Refusal(f"{file} is not a whole backup ({words}): name a file that `backup` wrote.") from None


def manifest_of(archive: tarfile.TarFile) -> Manifest:
    """Its manifest, if it is of a format that is known here."""
    told = json.loads(content(archive, MANIFEST))
    if told.get("format") != FORMAT:
        raise Refusal(f"The backup has format {told.get('format')}; this Mutirão reads {FORMAT}: use the one it is of.")
    return Manifest(**{**told, "heads": {key: tuple(head) for key, head in told["heads"].items()}})


def secrets_of(archive: tarfile.TarFile, passphrase: str) -> bytes | None:
    """The secrets, opened; null when the backup was taken from a database of the person's own."""
    names = archive.getnames()
    if SEALED in names:
        return unseal(content(archive, SEALED), passphrase)
    return content(archive, SECRETS) if SECRETS in names else None


def content(archive: tarfile.TarFile, name: str) -> bytes:
    """One small entry; `KeyError` when it is not there."""
    entry = archive.extractfile(name)
    if entry is None:
        raise KeyError(name)
    return entry.read()


def seal(secrets: bytes, passphrase: str) -> bytes:
    """Readable only with the passphrase."""
    salt = os.urandom(SALT_BYTES)
    return salt + _key(passphrase, salt).encrypt(secrets)


def unseal(sealed: bytes, passphrase: str) -> bytes:
    """The secrets again."""
    try:
        return _key(passphrase, sealed[:SALT_BYTES]).decrypt(sealed[SALT_BYTES:])
    except InvalidToken:
        raise Refusal("The backup's secrets are sealed: set MUTIRAO_BACKUP_PASSPHRASE to what sealed them.") from None


def _key(passphrase: str, salt: bytes) -> Fernet:
    derived = Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
