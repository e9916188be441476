"""Adapters where they are meant to run: inside the single-file server, and behind it a whole examination."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from proctor.policies.adapters import adapter_names
from proctor.results import read_episodes
from proctor.serving import template_text

TASK = "arena/static_obstacles/L0/pick_the_apple_and_place_it_on_the_plate"
# What a model's environment has before the model's library: the standard library and three packages.
HELP_OF_ALL = """
import pathlib, runpy, sys
allowed = set(sys.stdlib_module_names) | {"numpy", "msgpack", "zmq"}
class OnlyThese:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in allowed:
            raise ImportError(f"{name} is not part of a bare environment")
sys.meta_path.insert(0, OnlyThese())
for path in sorted(pathlib.Path(sys.argv[1]).glob("serve_*.py")):
    sys.argv = [str(path), "--help"]
    try:
        runpy.run_path(str(path), run_name="__main__")
    except SystemExit as end:
        assert not end.code, f"{path.name}: {end.code}"
"""
# The model's library replaced by its stand-in (see model_fakes), then the server as its file has it.
WITH_STAND_IN = """
import runpy, sys
sys.path.insert(0, sys.argv[1])
import model_fakes, pytest
model_fakes.install_gr00t(pytest.MonkeyPatch(), model_fakes.Recorder())
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_every_template_starts_in_a_bare_environment(tmp_path: Path) -> None:
    for name in adapter_names():
        (tmp_path / f"serve_{name}.py").write_text(template_text(name), encoding="utf-8")
    command = [sys.executable, "-c", HELP_OF_ALL, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("usage: serve_") == len(adapter_names())


def test_a_template_without_its_library_says_so_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "serve_gr00t.py"
    path.write_text(template_text("gr00t"), encoding="utf-8")
    command = [sys.executable, str(path), "--port", "0", "--arg", f"checkpoint={tmp_path}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "run this in GR00T's environment" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_examination_through_the_single_file_server(tmp_path: Path) -> None:
    path = tmp_path / "serve_gr00t.py"
    path.write_text(template_text("gr00t"), encoding="utf-8")
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", WITH_STAND_IN, here, str(path), "--port", "0", "--arg", f"checkpoint={tmp_path}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout is not None
            said: list[str] = []
            for line in server.stdout:
                said.append(line)
                if " is served on " in line:
                    break
            assert said, "the server ended without a word"
            assert " is served on " in said[-1], "".join(said)
            url = said[-1].split(" is served on ")[1].split(";")[0].strip()
            out = tmp_path / "out"
            run = [sys.executable, "-m", "proctor", "run", TASK, "--policy", url, "--max-steps", "12"]
            done = subprocess.run(
                [*run, "--episodes", "2", "--out", str(out)], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr
        finally:
            server.terminate()
    rows = list(read_episodes(out))
    assert [(row.status, row.outcome.steps) for row in rows] == [("completed", 12)] * 2
