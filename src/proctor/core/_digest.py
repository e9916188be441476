"""Digests of products: equal for equal values, on every host; and a cache of what is derived once and kept.

Numbers are rounded to 20 binary digits, because hosts differ in the last ones of a sine; what is smaller than 1e-12 is
zero. Names of classes and files do not enter.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import ProctorError

# Files that are derived once and kept: where they live, and how concurrent first uses stay out of each other's way.


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


_BITS = 20
_ZERO = 1e-12


def digest_of(value: Any) -> str:
    """Return 16 hexadecimal digits over data: numbers, texts, arrays, dataclasses, and collections of them."""
    digest = hashlib.sha256()
    _feed(value, digest.update)
    return digest.hexdigest()[:16]


def kept_digest(key: Iterable[str], compute: Callable[[], str]) -> str:
    """Return what ``compute`` returned when it was first called under ``key`` on this host.

    The key must name everything that the digest depends on. A cache that cannot be written costs time only.
    """
    folder = cache_root() / "digests"
    file = folder / hashlib.sha256("\0".join(key).encode()).hexdigest()[:32]
    try:
        return file.read_text("ascii")
    except (OSError, ValueError):
        pass
    value = compute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "w", encoding="ascii") as written:
            written.write(value)
        os.replace(temporary, file)
    except OSError:
        pass
    return value


def _feed(value: Any, update: Callable[[bytes], None]) -> None:
    if isinstance(value, np.ndarray):
        update(f"array{value.shape}".encode())
        update(_rounded(value).tobytes() if value.dtype.kind == "f" else value.astype(np.int64).tobytes())
    elif isinstance(value, (float, np.floating)):
        update(b"float" + _rounded(np.array([value])).tobytes())
    elif is_dataclass(value):
        update(b"{")
        # By name, and without what is empty: the order of fields, and one that was added later, change nothing.
        for name in sorted(item.name for item in fields(value)):
            inner = getattr(value, name)
            if isinstance(inner, np.ndarray) or inner:
                update(name.encode() + b"=")
                _feed(inner, update)
        update(b"}")
    elif isinstance(value, Mapping):
        update(b"{")
        for key in sorted(value, key=repr):
            update(repr(key).encode() + b":")
            _feed(value[key], update)
        update(b"}")
    elif isinstance(value, (list, tuple)):
        update(b"[")
        for inner in value:
            _feed(inner, update)
        update(b"]")
    elif value is None or isinstance(value, (bool, int, str, np.integer)):
        update(repr(value if value is None or isinstance(value, (bool, str)) else int(value)).encode() + b";")
    else:
        raise TypeError(f"a {type(value).__name__} has no digest")


def _rounded(array: NDArray[Any]) -> NDArray[np.float64]:
    mantissa, exponent = np.frexp(np.where(np.abs(array) < _ZERO, 0.0, array).astype(np.float64))
    # Adding zero makes -0.0 the same as 0.0.
    return np.asarray(np.ldexp(np.round(np.ldexp(mantissa, _BITS)), exponent - _BITS) + 0.0)
