"""Files that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path


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
