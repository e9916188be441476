"""The journal: what happened, in order, each line sealed to the one before; nothing is ever changed or removed.

A line is one JSON object ``{n, time, kind, data, prev, hash}``: ``prev`` is the hash of the line before (64 zeros for
the first) and ``hash`` is SHA-256 over the canonical JSON of the other five. So a changed line is found by itself, a
removed or inserted one by its neighbour, and lines cut off the end by anybody who noted the last hash (``head``).

`Journal.append` returns only when the line is on disk. A process killed at any instant leaves at most one torn line
at the end, which was never acknowledged: the next writer keeps its bytes in ``journal.torn`` and says so in a line.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from ._errors import SessionError, TamperError

ZERO = "0" * 64
_FIELDS = ("n", "time", "kind", "data", "prev")


def canonical(value: object) -> bytes:
    """Return JSON with sorted keys and no spaces, in ASCII: equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. ``time`` is UTC in ISO 8601 with microseconds."""

    n: int
    time: str
    kind: str
    data: Mapping[str, Any]
    prev: str
    hash: str

    @property
    def unix_s(self) -> float:
        """The time as seconds since 1970."""
        return datetime.fromisoformat(self.time).timestamp()


def make_entry(n: int, unix_s: float, kind: str, data: Mapping[str, Any], prev: str) -> Entry:
    """Return the line with its hash."""
    when = datetime.fromtimestamp(unix_s, UTC).isoformat(timespec="microseconds")
    body = {"n": n, "time": when, "kind": kind, "data": dict(data), "prev": prev}
    return Entry(n, when, kind, dict(data), prev, hashlib.sha256(canonical(body)).hexdigest())


def _line(entry: Entry) -> bytes:
    return canonical({name: getattr(entry, name) for name in (*_FIELDS, "hash")}) + b"\n"


def read_journal(path: str | Path) -> tuple[list[Entry], bytes]:
    """Return the lines and what a killed writer left behind them (usually nothing); raise at the first wrong line."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise SessionError(
            f"cannot read {path}: {error.strerror}; name a folder made by 'proctor station plan'"
        ) from None
    entries: list[Entry] = []
    *lines, rest = raw.split(b"\n")
    for number, line in enumerate(lines, start=1):
        entries.append(_checked(line, entries[-1] if entries else None, f"{path}:{number}"))
    return entries, rest


def _checked(line: bytes, before: Entry | None, where: str) -> Entry:
    """Read a line that ended and is therefore whole."""
    try:
        value = json.loads(line)
        entry = Entry(**value)
        body = {name: value[name] for name in _FIELDS}
    except (ValueError, TypeError, KeyError):
        raise TamperError(f"{where}: the line was changed: it is no journal line any more") from None
    if hashlib.sha256(canonical(body)).hexdigest() != entry.hash:
        raise TamperError(f"{where}: the line was changed: its contents do not give its hash")
    if entry.prev != (before.hash if before else ZERO) or entry.n != (before.n + 1 if before else 0):
        raise TamperError(f"{where}: a line before this one was removed, inserted or replaced")
    return entry


class Journal:
    """A journal opened for writing by one process. Use as a context manager, or `close` it.

    ``entries`` are the lines so far; ``torn`` is the number of bytes that a killed writer had left unfinished.
    """

    def __init__(self, path: str | Path, clock: Callable[[], float] = time.time) -> None:
        self.path = Path(path)
        self.torn = 0
        self.entries: list[Entry] = []
        self._clock = clock
        self._file: int | None = None
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise SessionError(f"{self.path} is being written by another process: close that console first") from None
        except OSError as error:
            self.close()
            raise SessionError(f"cannot write {self.path}: {error.strerror}") from None
        try:
            self._resume()
        except BaseException:
            self.close()
            raise

    def _resume(self) -> None:
        assert self._file is not None
        self.entries, rest = read_journal(self.path)
        self._size = os.fstat(self._file).st_size - len(rest)
        if rest:
            _append(self.path.with_suffix(".torn"), rest + b"\n")
            os.ftruncate(self._file, self._size)
            self.torn = len(rest)
            self.append("torn", {"bytes": len(rest), "kept_in": self.path.with_suffix(".torn").name})
        _sync_folder(self.path.parent)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def head(self) -> str:
        """Hash of the last line: whoever has noted it can tell later that nothing was cut off."""
        return self.entries[-1].hash if self.entries else ZERO

    def draft(self, kind: str, data: Mapping[str, Any]) -> Entry:
        """Return the line that `append` would write now, so that it can be judged first."""
        try:
            return make_entry(len(self.entries), self._clock(), kind, json.loads(canonical(data)), self.head)
        except (TypeError, ValueError) as error:
            raise SessionError(f"{kind}: the data cannot be written as JSON: {error}") from None

    def append(self, kind: str, data: Mapping[str, Any]) -> Entry:
        """Write a line; when this returns it is on disk."""
        return self.write(self.draft(kind, data))

    def write(self, entry: Entry) -> Entry:
        """Write a line made by `draft`; if that fails, the lines before it are untouched."""
        if self._file is None:
            raise SessionError(f"{self.path} is closed")
        line = _line(entry)
        try:
            os.lseek(self._file, self._size, os.SEEK_SET)
            view = memoryview(line)
            while view:
                view = view[os.write(self._file, view) :]
            os.fsync(self._file)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise SessionError(f"cannot write {self.path}: {error.strerror}; make room and do it again") from None
        self._size += len(line)
        self.entries.append(entry)
        return entry

    def close(self) -> None:
        """Give the journal to others."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
