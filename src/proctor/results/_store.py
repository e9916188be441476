"""The run folder: who may write, what is appended, how it is read, and its rows as Arrow and Parquet.

    run.json          command, versions, plan, policy: what was asked
    episodes.jsonl    one line per episode, appended and synced: the truth
    episodes.parquet  the same rows, latest attempt of each, made from the lines when a run ends
    run.lock          held while a run writes
    videos/ steps/ logs/
    shards/           run folders of parts of the plan, until they are merged into this one

Rows that end together are written and synced together; none is announced before (see `proctor.core.JsonLines`).
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
import socket
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from proctor.core import JsonLines, StoredLine, StoreError, parsed_lines, write_whole

from ._episode import Episode, Value

# Rows as an Arrow table, for Parquet and DuckDB: groups are structs, sequences lists, maps maps.
#
# Schema and conversions follow from the types of the row's fields. PyArrow is imported when first needed: it costs
# 0.2 s.

# Rows of a Parquet row group, and the most that are in memory at once.
_GROUP_ROWS = 4096


@dataclass(frozen=True, slots=True)
class _Column:
    """An Arrow type, and the ways of a plain value into it and back."""

    type: Any
    put: Callable[[Any], Any]
    take: Callable[[Any], Any]


def arrow_schema() -> Any:
    """Return the `pyarrow.Schema` of the episode table."""
    import pyarrow as pa

    return pa.schema(list(_column(Episode).type))


def episodes_table(episodes: Iterable[Episode]) -> Any:
    import pyarrow as pa

    put = _column(Episode).put
    return pa.Table.from_pylist([put(episode.to_dict()) for episode in episodes], schema=arrow_schema())


def write_parquet(episodes: Iterable[Episode], path: Path) -> None:
    """Write the rows to ``path``, zstd-compressed, some thousand at a time."""
    import pyarrow.parquet as pq

    rows = iter(episodes)
    with pq.ParquetWriter(path, arrow_schema(), compression="zstd") as writer:
        while some := list(islice(rows, _GROUP_ROWS)):
            writer.write_table(episodes_table(some))


def read_parquet(path: Path) -> list[Episode]:
    """Read rows back from ``path``, exactly as they were written."""
    import pyarrow.parquet as pq

    take = _column(Episode).take
    return [Episode.from_dict(take(row)) for row in pq.read_table(path).to_pylist()]


@cache
def _column(hint: Any) -> _Column:
    import pyarrow as pa

    plain = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    origin, inside = get_origin(hint), get_args(hint)
    if hint in plain:
        return _Column(plain[hint], _same, _same)
    if hint == Value:
        return _Column(pa.struct([(name, plain[kind]) for name, kind in _VALUES]), _put_value, _take_value)
    if origin is Literal:
        return _Column(pa.string(), _same, _same)
    if origin in (Union, types.UnionType):
        return _optional(_column(next(part for part in inside if part is not type(None))))
    if origin is tuple:
        return _list(_column(inside[0]))
    if origin is Mapping:
        return _map(_column(inside[1]))
    assert is_dataclass(hint), f"no Arrow type for {hint}"
    hints = get_type_hints(hint)
    return _struct({item.name: _column(hints[item.name]) for item in fields(hint)})


def _same(value: Any) -> Any:
    return value


def _optional(of: _Column) -> _Column:
    if of.put is _same:
        return of
    return _Column(
        of.type,
        lambda value: None if value is None else of.put(value),
        lambda value: None if value is None else of.take(value),
    )


def _list(of: _Column) -> _Column:
    import pyarrow as pa

    if of.put is _same:
        return _Column(pa.list_(of.type), _same, _same)
    return _Column(
        pa.list_(of.type),
        lambda values: [of.put(value) for value in values],
        lambda values: [of.take(value) for value in values],
    )


def _map(of: _Column) -> _Column:
    import pyarrow as pa

    return _Column(
        pa.map_(pa.string(), of.type),
        lambda values: [(name, of.put(value)) for name, value in values.items()],
        lambda values: {name: of.take(value) for name, value in values},
    )


def _struct(of: Mapping[str, _Column]) -> _Column:
    import pyarrow as pa

    return _Column(
        pa.struct([(name, column.type) for name, column in of.items()]),
        lambda values: {name: column.put(values[name]) for name, column in of.items()},
        lambda values: {name: column.take(values[name]) for name, column in of.items()},
    )


# A value that may be of any of these types is a struct of which one field is set at most.
_VALUES: tuple[tuple[str, type], ...] = (("flag", bool), ("whole", int), ("number", float), ("text", str))


def _put_value(value: Value) -> dict[str, Value]:
    return {name: value if type(value) is kind else None for name, kind in _VALUES}


def _take_value(value: Mapping[str, Value]) -> Value:
    return next((value[name] for name, _ in _VALUES if value[name] is not None), None)


# Which episodes are on record, with what result: about 100 bytes each (100,000: 10 MB; a million: 96 MB, measured).


class Ledger:
    """Maps the id of each episode on record to its latest status and its number of attempts."""

    def __init__(self) -> None:
        self._results: dict[str, tuple[str, int]] = {}
        # Equal results are one object: a million episodes have few.
        self._shared: dict[tuple[str, int], tuple[str, int]] = {}
        self.repeated = 0

    def __len__(self) -> int:
        return len(self._results)

    def status(self, identity: str) -> str | None:
        """Return the latest status of an episode, None if there is none on record."""
        return self._results.get(identity, (None, 0))[0]

    def attempts(self, identity: str) -> int:
        """Return how often an episode was tried, as far as its rows tell."""
        return self._results.get(identity, (None, 0))[1]

    def note(self, identity: str, status: str, attempt: int) -> None:
        """Take down a row; ``repeated`` counts the rows beyond the first of their episodes."""
        self.repeated += identity in self._results
        result = (status, max(attempt, self.attempts(identity)))
        self._results[identity] = self._shared.setdefault(result, result)


_LOG = logging.getLogger(__name__)
RUN_FILE = "run.json"
ROWS_FILE = "episodes.jsonl"
PARQUET_FILE = "episodes.parquet"
LOCK_FILE = "run.lock"
_OURS = frozenset({LOCK_FILE, ROWS_FILE, "logs", "shards"})


def read_run(run_dir: str | Path) -> dict[str, Any]:
    path = Path(run_dir) / RUN_FILE
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if path.with_name("shards").is_dir():
            raise StoreError(f"{run_dir}: holds parts of a run: gather them with 'proctor merge {run_dir}'") from None
        raise StoreError(
            f"{run_dir}: not a run folder ({RUN_FILE} is missing); name a folder made by 'proctor run'"
        ) from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: cannot be read: {error}") from None
    if not isinstance(value, dict):
        raise StoreError(f"{path}: must hold a JSON object")
    return value


def read_episodes(run_dir: str | Path) -> list[Episode]:
    """Return one row per episode, the latest attempt of each, in the order in which they first ended."""
    latest: dict[str, Episode] = {}
    for row in read_history(run_dir):
        latest[row.episode_id] = row
    return list(latest.values())


def stream_episodes(run_dir: str | Path) -> Iterator[Episode]:
    """Yield what `read_episodes` returns, one row at a time: half as fast, but in next to no memory.

    The file is read twice: first to find the episodes with several rows, of which the place of the latest is kept. Rows
    that are added meanwhile may be missed.
    """
    path = _rows_file(run_dir)
    if path is None:
        return
    ledger, latest, known = Ledger(), dict[str, int](), 0
    for line, row in _rows(path):
        if ledger.status(row.episode_id) is not None:
            latest[row.episode_id] = line.start
        ledger.note(row.episode_id, row.status, row.attempt)
        known = line.end
    waiting = dict(latest)
    with path.open("rb") as lines:
        for line, row in _rows(path):
            if line.end > known:
                return
            if row.episode_id not in latest:
                yield row
            elif row.episode_id in waiting:
                lines.seek(waiting.pop(row.episode_id))
                yield _row(lines.readline())


def read_history(run_dir: str | Path) -> list[Episode]:
    """Return every row ever written, repeated attempts included."""
    path = _rows_file(run_dir)
    return [] if path is None else [row for _, row in _rows(path)]


def _rows_file(run_dir: str | Path) -> Path | None:
    folder = Path(run_dir)
    if not folder.is_dir():
        raise StoreError(f"{folder}: no such run folder")
    if (folder / ROWS_FILE).exists():
        return folder / ROWS_FILE
    read_run(folder)
    return None


def _rows(path: Path) -> Iterator[tuple[StoredLine, Episode]]:
    return parsed_lines(path, _row)


def _row(raw: bytes) -> Episode:
    return Episode.from_json(raw.decode("utf-8"))


class RunFolder:
    """A run folder opened for writing by one process. Use as a context manager.

    ``ledger`` knows the id of each episode on record, its latest status and number of attempts.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.resumed = False
        self.ledger = Ledger()
        self._created = False
        self._lock: int | None = None
        self._rows: JsonLines | None = None

    def __enter__(self) -> RunFolder:
        try:
            self._created = not self.path.exists()
            self.path.mkdir(parents=True, exist_ok=True)
            self._acquire()
            self._open_rows()
        except OSError as error:
            self._release()
            raise StoreError(f"cannot write to {self.path}: {error.strerror}; choose another --out") from None
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._release()

    def _acquire(self) -> None:
        lock = os.open(self.path / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(lock, 200, 0).decode(errors="replace").strip() or "another process"
            os.close(lock)
            raise StoreError(
                f"{self.path} is in use by {owner}: wait for that run to end or choose another --out"
            ) from None
        self._lock = lock
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)

    def _open_rows(self) -> None:
        self._sweep()
        path = self.path / ROWS_FILE
        if path.exists():
            for _, row in _rows(path):
                self.ledger.note(row.episode_id, row.status, row.attempt)
        self.resumed = (self.path / RUN_FILE).exists()
        if len(self.ledger):
            again = self.ledger.repeated
            _LOG.info("%s: %d episodes on record, %d rows of earlier attempts", self.path, len(self.ledger), again)
        if not self.resumed and (len(self.ledger) or any(file.name not in _OURS for file in self.path.iterdir())):
            raise StoreError(f"{self.path} holds other files and no {RUN_FILE}: choose another --out")
        self._rows = JsonLines(path)

    def _sweep(self) -> None:
        """Remove the unfinished files of a run that was killed while it wrote them."""
        unfinished = [f".{RUN_FILE}.*", f".{PARQUET_FILE}.*", "videos/*.part*", "steps/*.part*", "traces/*.part*"]
        for leftover in (file for pattern in unfinished for file in self.path.glob(pattern)):
            leftover.unlink()

    def _release(self) -> None:
        if self._rows is not None:
            self._rows.close()
        if self._lock is not None:
            os.close(self._lock)
        self._rows = self._lock = None

    def discard_if_unused(self) -> None:
        """Remove the folder again if this process made it and no run began in it."""
        if not self._created or (self.path / RUN_FILE).exists():
            return
        for name in (ROWS_FILE, LOCK_FILE):
            (self.path / name).unlink(missing_ok=True)
        for file in (self.path / "logs").glob("*.log"):
            file.unlink()
        with contextlib.suppress(OSError):
            (self.path / "logs").rmdir()
        with contextlib.suppress(OSError):
            self.path.rmdir()

    def write_run(self, description: Mapping[str, Any]) -> None:
        """Replace ``run.json``, atomically."""
        text = json.dumps(description, indent=2, ensure_ascii=False) + "\n"
        self._replace(RUN_FILE, text.encode())

    def append(self, *rows: Episode) -> None:
        """Add rows and wait until they are on disk; if that fails, the rows before them are untouched.

        There is one sync for all of them: it takes as long as many short episodes.
        """
        assert self._rows is not None, "the run folder is not open"
        try:
            self._rows.append(*(row.to_json().encode("utf-8") for row in rows))
        except OSError as error:
            raise self._cannot_write(ROWS_FILE, error) from None
        for row in rows:
            self.ledger.note(row.episode_id, row.status, row.attempt)

    def compact(self) -> None:
        """Write ``episodes.parquet`` from the latest rows, atomically."""
        self._replace(PARQUET_FILE, lambda path: write_parquet(stream_episodes(self.path), path))

    def _replace(self, name: str, content: bytes | Callable[[Path], object]) -> None:
        try:
            write_whole(self.path / name, content)
        except OSError as error:
            raise self._cannot_write(name, error) from None

    def _cannot_write(self, name: str, error: OSError) -> StoreError:
        return StoreError(
            f"cannot write {self.path / name}: {error.strerror or error}; the {len(self.ledger)} episodes on record "
            f"are kept: make room and run the same command again"
        )
