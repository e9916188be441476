"""Task files travel by content: an agent needs no file system in common with the run.

Each file is sent once to each agent, with the first lease that needs it. An agent that has the very same bytes at the
same path, or inside its own installation of proctor, uses those; else it keeps what it was sent in its scratch folder.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import proctor
from proctor.core import EpisodeSpec

from .._worker import Assignment
from ._messages import MalformedError

MAX_TASK = 2**20
_ROOT = Path(proctor.__file__).parent


def task_content(spec: EpisodeSpec) -> dict[str, Any] | None:
    """Return the task file of ``spec`` as it travels; None if there is no such file (not every world has them)."""
    path = Path(spec.task_path)
    try:
        if not path.is_file() or path.stat().st_size > MAX_TASK:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    inside = path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else ""
    return {"path": spec.task_path, "inside": inside, "data": data}


class TaskCache:
    """The task files of one agent, by ``task_hash``."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._paths: dict[str, str] = {}

    def add(self, tasks: Mapping[str, Any]) -> None:
        """Take the task files of a lease."""
        for key, task in tasks.items():
            values = task if isinstance(task, dict) else {}
            path, inside, data = (values.get(name) for name in ("path", "inside", "data"))
            if not isinstance(path, str) or not isinstance(inside, str) or not isinstance(data, bytes):
                raise MalformedError("a task file without path or content")
            ours = [Path(path), *([_ROOT / inside] if _is_plain(inside) else [])]
            same = next((file for file in ours if _holds(file, data)), None)
            self._paths[key] = str(same or self._store(len(self._paths), PurePosixPath(path).name, data))

    def localise(self, assignment: Assignment) -> Assignment:
        """Return the assignment with the path of its task on this host."""
        path = self._paths.get(assignment.spec.task_hash)
        return assignment if path is None else replace(assignment, spec=replace(assignment.spec, task_path=path))

    def _store(self, number: int, name: str, data: bytes) -> Path:
        path = self._scratch / str(number) / (re.sub(r"[^\w.-]", "_", name).strip(".") or "task.cbddl")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path


def _is_plain(inside: str) -> bool:
    return bool(inside) and ".." not in PurePosixPath(inside).parts and not PurePosixPath(inside).is_absolute()


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False
