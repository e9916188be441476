"""The command itself: fast, complete, and helpful about typing errors."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from proctor import __version__
from proctor.cli import COMMANDS, load_command

PROCTOR = [sys.executable, "-c", "import sys; sys.argv[0] = 'proctor'; from proctor.cli import main; main()"]


def call(*args: str) -> subprocess.CompletedProcess:
    return subprocess.run([*PROCTOR, *args], capture_output=True, text=True)


def fastest(command: list[str]) -> float:
    def once() -> float:
        began = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        return time.perf_counter() - began

    return min(once() for _ in range(5))


def test_help_lists_every_command_and_imports_nothing_heavy():
    text = call("--help").stdout
    assert all(f" {name} " in text for name in COMMANDS)
    code = (
        "import sys; sys.argv = ['proctor', '--help']; import proctor.cli\n"
        "try: proctor.cli.main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('numpy', 'mujoco', 'pyarrow', 'scipy', 'PIL') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.endswith("[]\n")


def test_import_and_help_are_fast():
    assert fastest([sys.executable, "-c", "import proctor"]) < 0.3
    assert fastest([*PROCTOR, "--help"]) < 0.5


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_loads_and_shows_its_own_help(name):
    assert load_command(name) is not None
    done = call(name, "--help")
    assert done.returncode == 0, done.stderr
    assert f"Usage: proctor {name}" in done.stdout


def test_typing_errors_get_a_suggestion():
    done = call("rnu")
    assert done.returncode == 2
    assert "Did you mean 'run'?" in done.stderr


def test_version():
    assert call("--version").stdout == f"proctor {__version__}\n"


def test_no_arguments_show_the_help():
    assert "Usage: proctor" in (call().stdout + call().stderr)
