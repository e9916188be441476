"""The trace of an episode: what its policy was really sent and answered, request by request, in one zip file.

``requests.jsonl`` has a line for each request; pictures lie beside it as PNG, pixel by pixel as they were sent. The
file is whole or absent.
"""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LINES = "requests.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedRequest:
    """One request. Values are those of JSON; an array is ``{"dtype", "shape", "values"}`` or, of pictures,
    ``{"dtype", "shape", "pictures"}`` with the names of its PNG files.
    """

    step: int
    """Control steps before it."""
    server: str
    """Whom it went to; empty for a policy in the worker."""
    sent: Mapping[str, Any]
    """The request, by the names that the wire has for its parts."""
    answer: Any
    """What came back; null if nothing did."""
    actions: Any
    """The actions [H, D] that follow from the answer, as the environment is given them; null after an error."""
    latency_ms: float
    """From question to answer."""
    error: str = ""
    """What was wrong with the answer."""


class TraceWriter:
    """Writes the first ``limit`` requests of an episode; the file has its name once `close` is called."""

    def __init__(self, path: Path, limit: int) -> None:
        self.path = path
        self._limit = limit
        self._lines: list[str] = []
        self._temporary = path.with_name(f"{path.stem}.part{os.getpid()}.zip")
        self._zip: zipfile.ZipFile | None = None

    @property
    def full(self) -> bool:
        """Whether it takes no more requests."""
        return len(self._lines) >= self._limit

    def add(
        self,
        sent: Mapping[str, Any],
        answer: Any,
        actions: Any,
        *,
        step: int,
        server: str,
        latency_ms: float,
        error: str = "",
    ) -> None:
        """Write the pictures of a request, and keep the rest for its line."""
        folder = f"{len(self._lines):04d}"
        request = TracedRequest(
            step=step,
            server=server,
            sent=dict(self._parts(sent, folder)),
            answer=self._value(answer, f"{folder}/answer"),
            actions=self._value(actions, f"{folder}/actions"),
            latency_ms=round(latency_ms, 3),
            error=error,
        )
        self._lines.append(json.dumps(asdict(request), default=str))

    def close(self) -> bool:
        """Finish the file; return whether there is one."""
        if not self._lines:
            return False
        self._write(_LINES, "\n".join([*self._lines, ""]).encode())
        assert self._zip is not None
        self._zip.close()
        self._temporary.replace(self.path)
        return True

    def _write(self, name: str, data: bytes) -> None:
        if self._zip is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._zip = zipfile.ZipFile(self._temporary, "w")
        # PNG is compressed already; a fixed date makes equal traces equal files.
        how = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
        self._zip.writestr(zipfile.ZipInfo(name), data, how)

    def _parts(self, values: Mapping[str, Any], folder: str) -> Iterator[tuple[str, Any]]:
        """Yield the parts by path: maps that hold arrays are taken apart, those of plain values are not."""
        for key, value in values.items():
            if isinstance(value, Mapping) and _holds_arrays(value):
                yield from ((f"{key}/{name}", item) for name, item in self._parts(value, f"{folder}/{_safe(key)}"))
            else:
                yield key, self._value(value, f"{folder}/{_safe(key)}")

    def _value(self, value: Any, place: str) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        if hasattr(value, "__array__"):
            value = np.asarray(value)
        if not isinstance(value, np.ndarray):
            return value
        about = {"dtype": str(value.dtype), "shape": list(value.shape)}
        if value.dtype != np.uint8 or value.ndim < 3 or value.shape[-1] != 3:
            return about | {"values": value.tolist()}
        pictures = value.reshape(-1, *value.shape[-3:])
        names = [f"{place}{'' if len(pictures) == 1 else f'-{number}'}.png" for number in range(len(pictures))]
        for name, picture in zip(names, pictures, strict=True):
            self._write(name, _png(picture))
        return about | {"pictures": names}


def read_trace(path: Path) -> list[TracedRequest]:
    """Return the requests of a trace file."""
    with zipfile.ZipFile(path) as file:
        return [TracedRequest(**json.loads(line)) for line in file.read(_LINES).decode().splitlines()]


def read_traced_picture(path: Path, name: str) -> NDArray[np.uint8]:
    """Return a picture [H, W, 3] of a trace file, by the name that its request has for it."""
    from PIL import Image

    with zipfile.ZipFile(path) as file, Image.open(io.BytesIO(file.read(name))) as picture:
        return np.array(picture.convert("RGB"), dtype=np.uint8)


def _holds_arrays(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_arrays, value.values()))
    return isinstance(value, np.ndarray)


def _safe(key: str) -> str:
    """Return what of a key may stand in the name of a file: some come from servers."""
    return re.sub(r"[^\w-]+", "_", key)


def _png(picture: NDArray[np.uint8]) -> bytes:
    from PIL import Image

    data = io.BytesIO()
    Image.fromarray(picture).save(data, "PNG")
    return data.getvalue()
