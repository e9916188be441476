"""A policy's name in the rows is what it is, not where it was reached."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.cli._secrets import without_secrets
from proctor.core import ProctorError
from proctor.policies import policy_label
from proctor.results import read_episodes

TASK = "arena/static_obstacles/L0/pick_the_apple_and_place_it_on_the_plate"
SECRET = "hush-7f3a"


@contextlib.contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[str]:
    ready = folder / "url.txt"
    ready.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "proctor",
        "serve",
        "random",
        "--port",
        "0",
        "--ready-file",
        str(ready),
        *arguments,
    ]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as server:
        try:
            for _ in range(1200):
                if ready.exists() and ready.read_text().endswith("\n"):
                    break
                assert server.poll() is None, server.stderr and server.stderr.read()
                time.sleep(0.05)
            yield ready.read_text().strip()
        finally:
            server.send_signal(signal.SIGKILL)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "proctor", "run", TASK, "--episodes", "2", "--max-steps", "4", "--out", "run"]
    environment = {key: value for key, value in os.environ.items() if key != "PROCTOR_TOKEN"}
    return subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, env=environment)


def test_another_port_is_the_same_policy_and_no_secret_is_kept(tmp_path: Path) -> None:
    with serving(tmp_path, "--token", SECRET) as first:
        assert run(tmp_path, "--policy", first, "--limit", "1", "--policy-arg", f"token={SECRET}").returncode == 0
    with serving(tmp_path, "--token", SECRET) as second:
        assert second != first
        again = run(tmp_path, "--policy", second, "--policy-arg", f"token={SECRET}")
    assert again.returncode == 0, again.stderr
    rows = list(read_episodes(tmp_path / "run"))
    assert [(row.policy.name, row.attempt, row.status) for row in rows] == [("random", 1, "completed")] * 2
    for file in (tmp_path / "run").rglob("*"):
        if file.is_file():
            assert SECRET.encode() not in file.read_bytes(), file
    assert "token=..." in json.dumps(json.loads((tmp_path / "run" / "run.json").read_text())["command"])


def test_a_name_of_the_users_own(tmp_path: Path) -> None:
    done = run(tmp_path, "--policy", "noop", "--name", "step 20000", "--limit", "1")
    assert done.returncode == 0, done.stderr
    assert [row.policy.name for row in read_episodes(tmp_path / "run")] == ["step 20000"]


@pytest.mark.parametrize(
    ("name", "words"), [("expert", "built-in"), ("a/b", "slashes"), ("", "1 to 80"), ("x" * 81, "1 to 80")]
)
def test_names_that_are_refused(name: str, words: str) -> None:
    with pytest.raises(ProctorError, match=words):
        policy_label("noop", {}, name)


def test_without_a_server_nothing_is_run(tmp_path: Path) -> None:
    refused = run(tmp_path, "--policy", "proctor://127.0.0.1:9")
    assert refused.returncode == 2
    assert "127.0.0.1:9" in refused.stderr
    assert not (tmp_path / "run").exists()


def test_secrets_are_hidden_wherever_they_stand() -> None:
    words = [
        "run",
        "--token",
        SECRET,
        f"--token={SECRET}",
        "--policy-arg",
        f"token={SECRET}",
        f"--policy-arg=token={SECRET}",
    ]
    assert SECRET not in " ".join(without_secrets(words))
    assert without_secrets(["--policy-arg", "steps=3"]) == ["--policy-arg", "steps=3"]
