"""Task files, each parsed once as long as it does not change."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from proctor.core import task_source
from proctor.tasks.cbddl import Task, read_task


def task_of(path: Path, seed: int = 0, episode: int = 0) -> Task:
    """Return the task in a file; of a drawn one, the episode that ``seed`` and ``episode`` determine."""
    source = task_source(path)
    if source is not None:
        task: Task = source.draw(path, seed, episode).parsed
        return task
    try:
        status = os.stat(path)
    except OSError:
        # The reader says what is wrong with it.
        return read_task(path)
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1024)
def _read(path: Path, mtime_ns: int, size: int) -> Task:
    return read_task(path)
