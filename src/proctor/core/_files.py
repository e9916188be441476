"""Files that survive a kill: written whole or not at all, or line by line (the one JSON-lines store)."""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from ._errors import ProctorError


def write_whole(path: Path, content: bytes | Callable[[Path], object]) -> None:
    """Write a file that is whole or as it was before, also after a crash; its folder is made if need be.

    ``content`` may be a function that writes the file whose path it is given. Raises `OSError`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if isinstance(content, bytes):
            beside.write_bytes(content)
        else:
            content(beside)
        with beside.open("rb") as file:
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def sync_folder(path: Path) -> None:
    """Wait until the names of the files in a folder are on disk."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


# Files of JSON lines that survive a kill at any instant: the one store under runs, answers and journals.
#
# A line counts once its line feed is in the file. `JsonLines.append` returns only when its lines are on disk. A
# process killed at any instant leaves at most one torn line, at the end, which nobody was told of: readers leave it
# out, and the next writer cuts it off. Any other line that cannot be read is damage from outside and is named by its
# number.
#
# Readers need no lock and may read while others write; they take one line at a time into memory.

_LOG = logging.getLogger(__name__)
_TAIL_BYTES = 1 << 16
T = TypeVar("T")


class StoreError(ProctorError):
    """What is kept on disk cannot be read or written."""


@dataclass(frozen=True, slots=True)
class StoredLine:
    """A whole line without its line feed: its number (from 1), and where it begins and ends in the file (bytes)."""

    number: int
    start: int
    end: int
    raw: bytes


def json_line(value: Mapping[str, Any]) -> bytes:
    """Return a value as the bytes of one line; half a character is kept as its escape."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def whole_lines(path: Path) -> Iterator[StoredLine]:
    """Yield each line that has its end, one at a time; raises `OSError`."""
    start = 0
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if not raw.endswith(b"\n"):
                return
            yield StoredLine(number, start, start + len(raw), raw[:-1])
            start += len(raw)


def parsed_lines(
    path: Path, parse: Callable[[bytes], T], *, skip_damaged: bool = False
) -> Iterator[tuple[StoredLine, T]]:
    """Yield what ``parse`` makes of each whole line; empty lines are left out.

    A line at which ``parse`` raises ValueError, TypeError, KeyError or AttributeError is damaged: it raises a
    `StoreError` that names file and line, or with ``skip_damaged`` is logged and left out.
    """
    try:
        for line in whole_lines(path):
            if not line.raw.strip():
                continue
            try:
                value = _parse(path, line, parse)
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                text = f"{path}:{line.number}: damaged line ({error})"
                if not skip_damaged:
                    raise StoreError(f"{text}; remove this line to use the others") from None
                _LOG.warning("%s: left out", text)
                continue
            yield line, value
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror or error}") from None


def _parse(path: Path, line: StoredLine, parse: Callable[[bytes], T]) -> T:
    try:
        return parse(line.raw)
    except (ValueError, TypeError, KeyError, AttributeError):
        # A writer may have cut a torn line and written another in its place while this one was being read.
        with path.open("rb") as file:
            file.seek(line.start)
            again = file.readline()
        if again[:-1] == line.raw or not again.endswith(b"\n"):
            raise
        return parse(again[:-1])


class JsonLines:
    """A file of lines, open for appending; other processes and threads may append to it at the same time.

    Each append takes a lock between processes, cuts off what a killed writer left torn, writes all lines at once and
    syncs once. With ``exclusive`` the lock is held from opening to closing: a second writer gets `BlockingIOError`.
    What is cut off is appended to the file ``torn_to`` where one is named; ``torn`` is its number of bytes.

    Methods raise `OSError` and leave the file as it was.
    """

    def __init__(self, path: Path, *, exclusive: bool = False, torn_to: Path | None = None) -> None:
        self.path = path
        self.torn = 0
        self._exclusive, self._torn_to = exclusive, torn_to
        self._turn = threading.Lock()
        created = not path.exists()
        self._file: int | None = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            with self._locked(self._file, fcntl.LOCK_NB if exclusive else 0):
                self._cut_torn(self._file)
            if created:
                sync_folder(path.parent)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> JsonLines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def append(self, *lines: bytes) -> None:
        """Add lines (without line feeds) and wait until they are on disk: one write, one sync for all of them."""
        if any(b"\n" in line for line in lines):
            raise ValueError("a line must not hold a line feed")
        data = b"".join(line + b"\n" for line in lines)
        with self._turn:
            if self._file is None:
                raise ValueError(f"{self.path} is closed")
            with self._locked(self._file):
                size = self._cut_torn(self._file)
                try:
                    _write_all(self._file, data)
                    os.fsync(self._file)
                except OSError:
                    with contextlib.suppress(OSError):
                        os.ftruncate(self._file, size)
                    raise

    def close(self) -> None:
        """Let go of file and lock; may be called twice."""
        with self._turn:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    @contextlib.contextmanager
    def _locked(self, file: int, how: int = 0) -> Iterator[None]:
        fcntl.flock(file, fcntl.LOCK_EX | how)
        try:
            yield
        finally:
            if not self._exclusive:
                fcntl.flock(file, fcntl.LOCK_UN)

    def _cut_torn(self, file: int) -> int:
        """Cut off a last line without its end, which nobody writes any more: we hold the lock. Return the size."""
        size = os.fstat(file).st_size
        if not size or os.pread(file, 1, size - 1) == b"\n":
            return size
        torn, at = b"", size
        while at and b"\n" not in torn:
            step = min(_TAIL_BYTES, at)
            at -= step
            torn = os.pread(file, step, at) + torn
        torn = torn[torn.rfind(b"\n") + 1 :]
        if self._torn_to is not None:
            kept = os.open(self._torn_to, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                _write_all(kept, torn + b"\n")
                os.fsync(kept)
            finally:
                os.close(kept)
        os.ftruncate(file, size - len(torn))
        self.torn += len(torn)
        _LOG.info("%s: cut off %d bytes that a killed process had left unfinished", self.path, len(torn))
        return size - len(torn)


class KeyedLines:
    """Values found again by a key, kept as JSON lines; of several with one key the last counts.

    ``values`` holds all of them in memory, those of ``others`` (more files, only read) too. A line without ``key`` and
    ``fields`` is damaged. The file is made by the first `keep`. Threads and processes may `keep` at once.
    """

    def __init__(
        self,
        path: Path,
        *,
        key: str = "id",
        fields: Collection[str] = (),
        others: Iterable[Path] = (),
        skip_damaged: bool = True,
    ) -> None:
        self.path = path
        self._key, self._fields = key, frozenset({key, *fields})
        self._turn = threading.Lock()
        self.values: dict[str, dict[str, Any]] = {}
        for file in (*others, path):
            if file.exists():
                for _, value in parsed_lines(file, self._read, skip_damaged=skip_damaged):
                    self.values[str(value[key])] = value

    def _read(self, raw: bytes) -> dict[str, Any]:
        value = json.loads(raw)
        if not isinstance(value, dict) or not value.keys() >= self._fields:
            raise ValueError(f"no object with {', '.join(sorted(self._fields))}")
        return value

    def keep(self, value: Mapping[str, Any]) -> None:
        """Append a value; it is on disk when this returns."""
        line = json_line(value)
        with self._turn:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with JsonLines(self.path) as file:
                    file.append(line)
            except OSError as error:
                raise StoreError(
                    f"{self.path}: cannot be written: {error.strerror or error}; what is there is kept: make room and "
                    "run the same command again"
                ) from None
            self.values[str(value[self._key])] = dict(value)


def _write_all(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
