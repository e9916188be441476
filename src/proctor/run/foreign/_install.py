"""Makes, finds and removes the virtual environments of foreign simulators.

They live in ``$PROCTOR_CACHE/envs/NAME`` (without the variable ``~/.cache/proctor/envs/NAME``). An environment is made
under another name and moved to its place when its modules import, so a failed install leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.core import ProctorError

from ._errors import ForeignEnvError
from ._table import FOREIGN, known

RECORD = "proctor-env.json"


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment on this machine. ``extra`` are the packages that the user added to the pins."""

    name: str
    folder: Path
    pins: tuple[str, ...]
    extra: tuple[str, ...]
    python: str

    @property
    def current(self) -> bool:
        """Whether it has the versions that this Proctor asks for."""
        return self.name in FOREIGN and self.pins == FOREIGN[self.name].pins


def home() -> Path:
    """Return the folder that holds the environments."""
    cache = os.environ.get("PROCTOR_CACHE")
    base = Path(cache) if cache else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "proctor"
    return base / "envs"


def installed() -> list[Installed]:
    found = []
    for record in sorted(home().glob(f"*/{RECORD}")):
        with contextlib.suppress(OSError, ValueError, KeyError):
            values: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
            pins, extra = tuple(values["pins"]), tuple(values["extra"])
            found.append(Installed(values["name"], record.parent, pins, extra, values["python"]))
    return found


def python_of(name: str) -> Path:
    """Return the Python of an installed environment, or say how to install it."""
    entry = known(name)
    # Whoever has an environment of that kind already need not make another.
    given = os.environ.get(f"PROCTOR_ENV_{name.upper()}")
    python = Path(given) if given else _python(home() / name)
    if not python.exists():
        if given:
            raise ForeignEnvError(f"PROCTOR_ENV_{name.upper()}={given}: there is no such Python")
        raise ForeignEnvError(f"{entry.name} is not installed: run `proctor env install {entry.name}`")
    return python


def install(
    name: str,
    *,
    extra: Sequence[str] = (),
    python: str = sys.executable,
    say: Callable[[str], None] = lambda line: None,
) -> Installed:
    """Make the environment ``name`` with its pins and ``extra``; an older one is replaced only when the new one works.

    ``say`` hears of every step.
    """
    entry = known(name)
    home().mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=home()))
    try:
        say(f"making a virtual environment for {name} with {python}")
        _run([python, "-m", "venv", str(fresh)], "python -m venv")
        pip = [str(_python(fresh)), "-m", "pip", "--disable-pip-version-check", "install", "--progress-bar", "off"]
        say(f"installing {len(entry.pins)} packages, exact versions")
        _run([*pip, "--no-deps", *entry.pins], "pip")
        if extra:
            say(f"installing {', '.join(extra)}")
            # The pins are named again, so that what the user adds cannot change them unnoticed.
            _run([*pip, *extra, *entry.pins], "pip")
        say("importing " + ", ".join(entry.modules))
        _run([str(_python(fresh)), "-c", "import " + ", ".join(entry.modules)], "python")
        made = Installed(name, home() / name, entry.pins, tuple(extra), _version(fresh))
        record = {"name": name, "pins": made.pins, "extra": made.extra, "python": made.python}
        (fresh / RECORD).write_text(json.dumps(record, indent=1), encoding="utf-8")
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(made.folder)
        fresh.rename(made.folder)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return made


def remove(name: str) -> Path:
    """Remove an installed environment and return where it was."""
    folder = home() / known(name).name
    if not (folder / RECORD).exists():
        raise ForeignEnvError(f"{name} is not installed ({folder} does not hold it)")
    shutil.rmtree(folder)
    return folder


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _version(folder: Path) -> str:
    shown = subprocess.run(
        [str(_python(folder)), "-c", "import platform; print(platform.python_version())"],
        capture_output=True,
        text=True,
        check=True,
    )
    return shown.stdout.strip()


def _run(command: Sequence[str], what: str) -> None:
    environ = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environ)
    except OSError as error:
        raise ForeignEnvError(f"cannot start {command[0]}: {error.strerror or error}") from None
    if done.returncode:
        lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith(("ERROR", "error"))] or lines
        reason = errors[0] if errors else f"exit code {done.returncode}"
        raise ProctorError(f"{what} failed, nothing was installed: {reason}; the command was: {shlex.join(command)}")
