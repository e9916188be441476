"""The journal: what happened, in order, each line sealed to the one before; nothing is ever changed or removed.

A line is one JSON object ``{n, time, kind, data, prev, hash}``: ``prev`` is the hash of the line before (64 zeros for
the first) and ``hash`` is SHA-256 over the canonical JSON of the other five. So a changed line is found by itself, a
removed or inserted one by its neighbour, and lines cut off the end by anybody who noted the last hash (``head``).

`Journal.append` returns only when the line is on disk (see `proctor.core.JsonLines`). What a killed writer left torn
was never acknowledged: the next writer keeps its bytes in ``journal.torn`` and says so in a line.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from proctor.core import JsonLines, ProctorError, whole_lines

# What an operator can do wrong in a session.


class SessionError(ProctorError):
    """An action that is not possible now, or a session folder that is not in order; one line that says what to do."""


class TamperError(SessionError):
    """A journal, schedule or reveal that is not what was written or committed; the text names the place."""

    exit_code = 1


ZERO = "0" * 64
_FIELDS = ("n", "time", "kind", "data", "prev")


def canonical(value: object) -> bytes:
    """Return JSON with sorted keys and no spaces, in ASCII: equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


@dataclass(frozen=True, slots=True)
class JournalEntry:
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


def make_entry(n: int, unix_s: float, kind: str, data: Mapping[str, Any], prev: str) -> JournalEntry:
    when = datetime.fromtimestamp(unix_s, UTC).isoformat(timespec="microseconds")
    body = {"n": n, "time": when, "kind": kind, "data": dict(data), "prev": prev}
    return JournalEntry(n, when, kind, dict(data), prev, hashlib.sha256(canonical(body)).hexdigest())


def _line(entry: JournalEntry) -> bytes:
    return canonical({name: getattr(entry, name) for name in (*_FIELDS, "hash")})


def read_journal(path: str | Path) -> tuple[list[JournalEntry], bytes]:
    """Return the lines and what a killed writer left behind them (usually nothing); raise at the first wrong line."""
    entries: list[JournalEntry] = []
    end = 0
    try:
        for line in whole_lines(Path(path)):
            entries.append(_checked(line.raw, entries[-1] if entries else None, f"{path}:{line.number}"))
            end = line.end
        with Path(path).open("rb") as file:
            file.seek(end)
            return entries, file.read()
    except OSError as error:
        raise SessionError(
            f"cannot read {path}: {error.strerror}; name a folder made by 'proctor station plan'"
        ) from None


def _checked(line: bytes, before: JournalEntry | None, where: str) -> JournalEntry:
    """Read a line that ended and is therefore whole."""
    try:
        value = json.loads(line)
        entry = JournalEntry(**value)
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
        self.entries: list[JournalEntry] = []
        self._clock = clock
        aside = self.path.with_suffix(".torn")
        try:
            self._file = JsonLines(self.path, exclusive=True, torn_to=aside)
        except BlockingIOError:
            raise SessionError(f"{self.path} is being written by another process: close that console first") from None
        except OSError as error:
            raise SessionError(f"cannot write {self.path}: {error.strerror}") from None
        self.torn = self._file.torn
        try:
            self.entries, _ = read_journal(self.path)
            if self.torn:
                self.append("torn", {"bytes": self.torn, "kept_in": aside.name})
        except BaseException:
            self.close()
            raise

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

    def draft(self, kind: str, data: Mapping[str, Any]) -> JournalEntry:
        """Return the line that `append` would write now, so that it can be judged first."""
        try:
            return make_entry(len(self.entries), self._clock(), kind, json.loads(canonical(data)), self.head)
        except (TypeError, ValueError) as error:
            raise SessionError(f"{kind}: the data cannot be written as JSON: {error}") from None

    def append(self, kind: str, data: Mapping[str, Any]) -> JournalEntry:
        """Write a line; when this returns it is on disk."""
        return self.write(self.draft(kind, data))

    def write(self, entry: JournalEntry) -> JournalEntry:
        """Write a line made by `draft`; if that fails, the lines before it are untouched."""
        try:
            self._file.append(_line(entry))
        except OSError as error:
            raise SessionError(f"cannot write {self.path}: {error.strerror}; make room and do it again") from None
        self.entries.append(entry)
        return entry

    def close(self) -> None:
        self._file.close()
