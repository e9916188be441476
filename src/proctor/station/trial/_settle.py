"""Finishes the files of a trial, also of one whose program was killed."""

from __future__ import annotations

import contextlib
import fcntl
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from proctor.core import write_whole

from ._film import settle
from ._telemetry import FILE, FRAMES_FILE, FRAMES_STREAM, STREAM, settle_stream
from ._types import TrialError

META: Final = "meta.json"
LOCK: Final = ".lock"
_ENCODER_S: Final = 3.0


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """Write a file that is whole or the one before."""
    write_whole(path, (json.dumps(values, indent=2) + "\n").encode())


def settle_trial(folder: Path, meta: Mapping[str, Any]) -> None:
    """Turn streams into Parquet and fragments into films, then write the end of ``meta.json``: may be repeated."""
    rows = {}
    for stream, file in ((STREAM, FILE), (FRAMES_STREAM, FRAMES_FILE)):
        if (folder / stream).exists():
            with contextlib.suppress(OSError, ValueError):
                rows[file] = settle_stream(folder / stream, folder / file)
    films = {}
    for camera in meta.get("cameras", []):
        film = folder / f"{camera}.mp4"
        films[camera] = film.exists() and film.stat().st_size > 0 and settle(film)
    write_json(folder / META, {**meta, "rows": rows.get(FILE, meta.get("rows", 0)), "films": films})


def recover(trials: Path) -> list[str]:
    """Settle every trial below ``trials`` that nobody records any more, mark it ``infra_error``; return their ids."""
    found = []
    for path in sorted(trials.glob(f"*/{META}")):
        folder, meta = path.parent, read_meta(path.parent)
        if meta.get("status") != "running" or not _left_alone(folder):
            continue
        line = "the program ended in the middle of the trial; what it had recorded was kept"
        settle_trial(folder, {**meta, "status": "infra_error", "ended_by": "station", "fault": line, "recovered": True})
        (folder / LOCK).unlink(missing_ok=True)
        found.append(folder.name)
    return found


def read_meta(folder: Path) -> dict[str, Any]:
    try:
        values = json.loads((folder / META).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TrialError(f"cannot read {folder / META}: {error}") from error
    if not isinstance(values, dict):
        raise TrialError(f"{folder / META} is not a map")
    return values


def _left_alone(folder: Path) -> bool:
    """Whether no process records into ``folder``; encoders that outlive their program are given a moment to end."""
    if not (folder / LOCK).exists():
        return True
    limit = time.monotonic() + _ENCODER_S
    with (folder / LOCK).open("w") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() > limit:
                    return False
                time.sleep(0.05)
            else:
                return True
