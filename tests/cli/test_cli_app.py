"""The command itself: fast, complete, and helpful about typing errors."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from proctor import __version__
from proctor.cli import COMMANDS, EXTRAS, GROUPS, load_command

PROCTOR = [sys.executable, "-c", "import sys; sys.argv[0] = 'proctor'; from proctor.cli import main; main()"]


def call(*args: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([*PROCTOR, *args], capture_output=True, text=True, env=os.environ | environment)


def fastest(command: list[str]) -> float:
    """Return the least processor time of five calls, in seconds: unlike the clock it hardly minds a busy machine."""

    def used() -> float:
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        return spent.ru_utime + spent.ru_stime

    def once() -> float:
        before = used()
        subprocess.run(command, capture_output=True, check=True)
        return used() - before

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


def test_every_command_stands_under_one_heading_of_the_help():
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(COMMANDS)


@pytest.mark.parametrize("words", [("--help",), ("run", "--help"), ("station", "--help"), ("serve", "--help")])
def test_help_fits_a_terminal_of_80_columns_without_frames(words):
    text = call(*words, COLUMNS="80").stdout
    assert max(map(len, text.splitlines())) < 80
    assert not set("│╭╰") & set(text)


def test_every_option_of_run_is_on_its_page_once():
    text = call("run", "--help").stdout
    options = [name for param in load_command("run").params for name in param.opts if name.startswith("--")]
    assert len(options) > 30
    for name in options:
        assert len(re.findall(rf"^  (?:-\w, )?{name}(?= |$)", text, re.MULTILINE)) == 1, name


@pytest.mark.parametrize("words", [("ls",), ("knowledge", "ls")])
def test_lists_keep_one_line_for_each_name_in_80_columns(words):
    text = call(*words, COLUMNS="80").stdout
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80
    names = {row.get("suite") if words == ("ls",) else row["task"] for row in json.loads(call(*words, "--json").stdout)}
    lines = text.split()
    assert all(name in lines for name in names)


def test_a_package_of_an_extra_that_is_missing_is_one_line_not_a_traceback():
    code = (
        "import sys; sys.argv = ['proctor', 'station', 'demo']; sys.modules['uvicorn'] = None\n"
        "from proctor.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "error: this command needs uvicorn, which is not installed: pip install 'proctor[station]'\n"


def test_every_extra_that_is_named_exists():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(EXTRAS.values()) <= set(project["project"]["optional-dependencies"])
