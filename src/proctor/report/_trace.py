"""The part of an episode's page that shows what its policy was really sent and answered."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from proctor.results import TracedRequest, read_trace

# So many actions of a chunk are shown; the file has all.
_SHOWN = 10
_WIDEST = 400


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A picture of a request: its file in the folder of the trace, and what it was called and was."""

    file: str
    caption: str


@dataclass(frozen=True, slots=True)
class RequestView:
    """One request, ready to be shown; ``actions`` are pairs of texts, as they came and as they were executed."""

    request: TracedRequest
    pictures: tuple[SentPicture, ...]
    values: tuple[tuple[str, str], ...]
    actions: tuple[tuple[str, str], ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class TracePage:
    """A trace and where its files are, from the page of its episode."""

    file: str
    folder: str
    requests: tuple[RequestView, ...]


def trace_page(file: Path, folder: Path) -> TracePage | None:
    """Read a trace and write its pictures into ``folder``; None for a file that is no trace."""
    try:
        requests = tuple(_view(request, file, folder) for request in read_trace(file))
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError):
        return None
    return TracePage(f"../trace/{file.name}", f"../trace/{folder.name}", requests)


def _view(request: TracedRequest, file: Path, folder: Path) -> RequestView:
    pictures: list[SentPicture] = []
    values: list[tuple[str, str]] = []
    with zipfile.ZipFile(file) as archive:
        for name, value in request.sent.items():
            if not isinstance(value, dict) or "pictures" not in value:
                values.append((name, _text(value)))
                continue
            size = "×".join(map(str, value["shape"]))
            for inside in value["pictures"]:
                # A name of our own: that in the archive may come from anywhere.
                place = folder / f"{request.step:05d}-{len(pictures)}.png"
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(archive.read(inside))
                pictures.append(SentPicture(place.name, f"{name}, {value['dtype']} {size}"))
    came, executed = list(_rows(request.answer)), list(_rows(request.actions))
    actions = tuple(zip_longest(came, executed, fillvalue=""))
    return RequestView(request, tuple(pictures), tuple(values), actions[:_SHOWN], max(0, len(actions) - _SHOWN))


def _rows(value: Any) -> Iterator[str]:
    """Yield the text of each action."""
    if isinstance(value, dict) and "values" in value:
        value = value["values"]
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list) and _deep(value[0]):
        value = value[0]
    if isinstance(value, list) and any(isinstance(row, list) for row in value):
        yield from map(_text, value)
    elif value is not None:
        yield _text(value)


def _deep(value: list[Any]) -> bool:
    return any(isinstance(item, list) for item in value)


def _text(value: Any) -> str:
    if isinstance(value, dict) and "values" in value:
        return f"{_text(value['values'])} ({value['dtype']})"
    if isinstance(value, list):
        text = f"[{', '.join(map(_text, value))}]"
    elif isinstance(value, float):
        text = f"{value:.5g}"
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]} …"
