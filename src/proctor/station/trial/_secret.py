"""What would tell the operator which policy ran, in a folder that only its owner may read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ._types import TrialError


def write_secret(folder: Path, trial: str, values: Mapping[str, Any]) -> Path:
    """Write ``trials/<id>.json`` below ``folder``, readable by its owner only."""
    below = folder / "trials"
    path = below / f"{trial}.json"
    try:
        for each in (folder, below):
            each.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = below / f".{trial}.part"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(values, file, indent=2)
            file.write("\n")
        temporary.replace(path)
    except OSError as error:
        raise TrialError(f"cannot write {path}: {error.strerror}") from error
    return path


def read_secret(folder: Path, trial: str) -> dict[str, Any]:
    """Return what was kept of a trial; empty where nothing was."""
    path = folder / "trials" / f"{trial}.json"
    if not path.exists():
        return {}
    values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return values
