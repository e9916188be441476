"""The real packages live in a virtual environment of their own; scripts in ``peers/`` run there, never in ours."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PEERS = Path(os.environ.get("PEERS", ROOT / ".venv-peers")) / "bin"
SCRIPTS = Path(__file__).parent / "peers"
LIMIT_S = 120.0

needs_peers = pytest.mark.skipif(
    not (PEERS / "python").exists(), reason=f"{PEERS.parent} is missing: make it with scripts/peers.sh (make test does)"
)


def peer(script: str, *args: str, cwd: Path | None = None) -> str:
    """Run a script with the peers' Python and return what it printed."""
    command = [str(PEERS / "python"), str(SCRIPTS / script), *args]
    done = subprocess.run(
        command, cwd=cwd, env=peer_environment(), capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    assert done.returncode == 0, f"{script}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def peer_environment() -> dict[str, str]:
    """Return our environment without what leads Python to our own packages."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {**kept, "PYTHONPATH": str(SCRIPTS), "PYTHONUNBUFFERED": "1"}


@contextlib.contextmanager
def running(
    command: list[str], cwd: Path, environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run a program for the length of the block; its output is in ``cwd``/log.txt."""
    with (cwd / "log.txt").open("w") as log:
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=log, stderr=subprocess.STDOUT, text=True)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(LIMIT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for(file: Path, process: subprocess.Popen[str]) -> str:
    """Return the text of ``file`` once the program has written it; a program that ends first has failed."""
    deadline = time.monotonic() + LIMIT_S
    while not file.exists():
        log = file.parent / "log.txt"
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
    return file.read_text().strip()


@contextlib.contextmanager
def proctor_serve(folder: Path, *args: str) -> Iterator[str]:
    """Run ``proctor serve ARGS`` in ``folder`` and yield ``host:port``."""
    ready = folder / "ready.txt"
    command = [
        sys.executable,
        "-m",
        "proctor",
        "serve",
        *args,
        "--port",
        "0",
        "--ready-file",
        str(ready),
        "--drain",
        "1",
    ]
    with running(command, folder) as process:
        yield wait_for(ready, process).partition("://")[2]
