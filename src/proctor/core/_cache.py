"""Files that are derived once and kept: where they live, and how concurrent first uses stay out of each other's way."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from ._errors import ProctorError


def cache_root() -> Path:
    """Return the folder for derived files: ``$PROCTOR_CACHE`` or ``~/.cache/proctor``."""
    base = os.environ.get("PROCTOR_CACHE")
    return Path(base) if base else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "proctor"


def build_once(name: str, build: Callable[[Path], None]) -> Path:
    """Return the folder ``name`` in the cache, filled by ``build`` on first use.

    The folder is built under a temporary name and renamed, so concurrent first uses do not see half a cache.
    """
    target = cache_root() / name
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=target.parent))
    except OSError as error:
        raise _unwritable(target.parent, error) from error
    try:
        build(building)
        os.replace(building, target)
    except OSError as error:
        # Another process may have been first; then its folder serves as well.
        if not target.is_dir():
            raise _unwritable(target.parent, error) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return target


def _unwritable(folder: Path, error: OSError) -> ProctorError:
    return ProctorError(
        f"cannot write the mesh cache {folder} ({error.strerror or error}): set PROCTOR_CACHE to a writable folder"
    )
