"""Files that travel with episodes: task files to a node that may have no file system in common with the driver, videos
and steps back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import proctor
from proctor.results import Episode, StoreError
from proctor.run.engine import Assignment

MAX_TASK_BYTES = 2**20
_ROOT = Path(proctor.__file__).parent


@dataclass(frozen=True, slots=True)
class TaskFile:
    """The content of a task file; ``inside``: where it lies in the package, if it is one of ours."""

    inside: str
    content: bytes

    @classmethod
    def read(cls, path: str) -> TaskFile | None:
        """Read it; None if there is no such file (not every environment has them)."""
        file = Path(path)
        try:
            if not file.is_file() or file.stat().st_size > MAX_TASK_BYTES:
                return None
            inside = file.relative_to(_ROOT).as_posix() if file.is_relative_to(_ROOT) else ""
            return cls(inside, file.read_bytes())
        except OSError:
            return None


class TaskFiles:
    """The task files of one node: its own where they hold the very same bytes, else those that were sent."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._paths: dict[str, str] = {}

    def add(self, files: Mapping[str, TaskFile]) -> None:
        """Take files by the path that they have on the driver's host."""
        for path, file in files.items():
            own = [Path(path), *([_ROOT / file.inside] if file.inside else [])]
            same = next((place for place in own if _holds(place, file.content)), None)
            self._paths[path] = str(same or self._store(path, file.content))

    def localise(self, assignment: Assignment) -> Assignment:
        path = self._paths.get(assignment.spec.task_path)
        return assignment if path is None else replace(assignment, spec=replace(assignment.spec, task_path=path))

    def _store(self, path: str, content: bytes) -> Path:
        place = self._folder / str(len(self._paths)) / (re.sub(r"[^\w.-]", "_", Path(path).name).strip(".") or "task")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        return place


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class Finished:
    """An episode's row with the content of the files that it names."""

    row: Episode
    files: tuple[tuple[str, bytes], ...]

    @classmethod
    def collect(cls, row: Episode, folder: Path) -> Finished:
        """Take the files of a row out of ``folder``; they are not kept there."""
        files = []
        for name in row.files.names:
            files.append((name, (folder / name).read_bytes()))
            (folder / name).unlink()
        return cls(row, tuple(files))

    @property
    def size(self) -> int:
        """Bytes of the files."""
        return sum(len(content) for _, content in self.files)


def keep_files(files: Iterable[tuple[str, bytes]], folder: Path) -> None:
    """Write files into the run folder; one that is there already was left by a run that was stopped before its row."""
    for name, content in files:
        path = folder / name
        part = path.with_name(f"{path.stem}.part-node{path.suffix}")
        try:
            path.parent.mkdir(exist_ok=True)
            part.write_bytes(content)
            part.replace(path)
        except OSError as error:
            raise StoreError(
                f"cannot write {path}: {error.strerror or error}; finished episodes are kept: make room and run the "
                f"same command again"
            ) from None
