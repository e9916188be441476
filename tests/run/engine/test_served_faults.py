"""A policy behind a wire may fail in any way: its episodes end as errors that name it, the others are not touched."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from bad_servers import OpenpiServer, ProctorServer, serving

from proctor.core import EpisodeSpec, PolicySpec, ProctorError
from proctor.policies import parse_policy
from proctor.results import Episode, read_episodes
from proctor.run.engine import EpisodeOptions, RunOptions, execute
from proctor.run.plan import Plan, PlanTask
from proctor.tasks.suites import find

HERE = "test_served_faults"
LIMIT_S = 300.0


def plan(url: str, faults: Iterable[str], episodes: int = 1, **args) -> Plan:
    """One task for each fault, which is its instruction, and a good one after each."""
    names = [name for fault in faults for name in (fault, "none")]
    tasks = [PlanTask(f"pt/L0/{i}@v1", "pt", "L0", "h", name, 5, "/none") for i, name in enumerate(names)]
    return Plan(tuple(tasks), episodes, 7, url, args)


def numbered(url: str, episodes: int = 4, **args) -> Plan:
    """One good task: episode numbers 0, 1, 2, ..."""
    return Plan((PlanTask("pt/L0/a@v1", "pt", "L0", "h", "none", 5, "/none"),), episodes, 7, url, args)


def options(timeout_s: float = 20.0, **more) -> RunOptions:
    how = EpisodeOptions(policy_timeout_s=timeout_s)
    return RunOptions(**{"env": "point_world:PointEnv", "episode": how, **more})


FAULTS = {
    "shape": "(1, 6)",
    "chunk": "(9, 7)",
    "nan": "not finite",
    "range": "outside [-1, 1]",
    "dtype": "|O8",
    "huge": "would take",
    "oversized": "has 4152 bytes",
    "truncated": "has 53 bytes",
    "frame missing": "truncated",
    "frames": "frames after the header",
    "garbage": "no answer to 'act'",
    "text": "Internal Server Error",
    "empty": "no answer to 'act'",
    "version": "another version",
    "type": "'ok'",
    "error": "CUDA out of memory",
}
SILENCE = {"stale": "did not answer 'act' within", "late": "did not answer 'act' within"}
FOREIGN_FAULTS = {
    "shape": "[1, 6]",
    "nan": "actions",
    "huge": "no proper answer",
    "truncated": "no proper answer",
    "short": "no proper answer",
    "garbage": "no proper answer",
    "text": "CUDA out of memory",
    "no actions": "actions",
    "close": "model crashed",
    "oversized": "more than",
}
FOREIGN_SILENCE = {"late": "sent no actions within"}


def check(rows: list[Episode], url: str, faults: dict[str, str]) -> None:
    """Every episode with a fault is an error of the policy that names server and fault; the others are complete."""
    assert {row.language.instruction for row in rows} == {*faults, "none"}
    for row in rows:
        if row.language.instruction == "none":
            assert (row.status, row.outcome.steps) == ("completed", 5), row.error
            continue
        assert (row.status, row.outcome.success, row.outcome.steps) == ("policy_error", None, 2), row
        assert faults[row.language.instruction] in row.error, (row.language.instruction, row.error)
        # An action out of range is found where every policy's is.
        assert url in row.error or row.language.instruction == "range"
        assert "\n" not in row.error


@pytest.mark.parametrize(("faults", "timeout_s"), [(FAULTS, 20.0), (SILENCE, 1.0)])
def test_faults_on_our_wire_spoil_their_own_episodes_only(tmp_path, faults, timeout_s):
    with serving(ProctorServer()) as url:
        result = execute(plan(url, faults, 2), tmp_path / "r", options(timeout_s))
    assert (result.ran, result.errors) == (4 * len(faults), 2 * len(faults))
    check(read_episodes(tmp_path / "r"), url, faults)


@pytest.mark.parametrize(("faults", "timeout_s"), [(FOREIGN_FAULTS, 20.0), (FOREIGN_SILENCE, 1.0)])
def test_faults_on_openpis_wire_spoil_their_own_episodes_only(tmp_path, faults, timeout_s):
    with serving(OpenpiServer()) as url:
        keys = {"cameras": "agentview", "image_keys": "observation/image", "render_size": 64, "image_size": 64}
        result = execute(plan(url, faults, chunk=1, **keys), tmp_path / "r", options(timeout_s))
    assert (result.ran, result.errors) == (2 * len(faults), len(faults))
    check(read_episodes(tmp_path / "r"), url, faults)


def test_seats_in_one_process_have_their_faults_to_themselves(tmp_path):
    faults = {**SILENCE, "nan": FAULTS["nan"]}
    with serving(ProctorServer()) as url:
        result = execute(plan(url, faults, 2), tmp_path / "r", options(1.5, envs_per_worker=4))
    assert (result.ran, result.errors) == (12, 6)
    check(read_episodes(tmp_path / "r"), url, faults)


def test_refused_before_the_first_episode(tmp_path):
    with serving(ProctorServer(version=2)) as url, pytest.raises(ProctorError, match="another version"):
        execute(numbered(url), tmp_path / "r", options())
    with (
        serving(ProctorServer(control_hz=10.0)) as url,
        pytest.raises(ProctorError, match=r"'by hand' needs control_hz=10.0, environment 'point' has control_hz=20.0"),
    ):
        execute(numbered(url), tmp_path / "r", options())
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"proctor://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ProctorError, match="cannot be reached"):
            execute(numbered(nobody), tmp_path / "r", options(2.0))
    assert not (tmp_path / "r").exists()


class Walker:
    """Stands still; ``die`` ends the whole server in the middle of that episode, the first time it comes."""

    def __init__(self, die: int = -1, mark: str = "") -> None:
        self.die, self.mark = die, mark

    def spec(self) -> PolicySpec:
        return PolicySpec("walker", fingerprint="walker-1")

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        self.episode = episode.episode

    def act(self, observation):
        if self.episode == self.die and observation.step == 2 and not Path(self.mark).exists():
            Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return [0.0] * 7


class Fast(Walker):
    def spec(self) -> PolicySpec:
        return replace(super().spec(), control_hz=50.0)


@contextlib.contextmanager
def proctor_serve(folder: Path, policy: str, *more: str, port: int = 0) -> Iterator[tuple[subprocess.Popen, str]]:
    """Run ``proctor serve`` and yield the process and its URL."""
    ready = folder / f"ready-{time.monotonic_ns()}"
    command = [sys.executable, "-m", "proctor", "serve", f"{HERE}:{policy}", "--port", str(port)]
    process = subprocess.Popen([*command, "--ready-file", str(ready), *more], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + LIMIT_S
        while not (ready.exists() and ready.read_text().strip()):
            assert process.poll() is None, "the server ended while it started"
            assert time.monotonic() < deadline
            time.sleep(0.02)
        yield process, ready.read_text().split()[0]
    finally:
        process.kill()
        process.wait()


def test_a_server_that_dies_costs_its_episode_and_the_next_find_its_successor(tmp_path):
    args = ["--policy-arg", "die=3", "--policy-arg", f"mark={tmp_path / 'died'}"]
    with contextlib.ExitStack() as stack:
        process, url = stack.enter_context(proctor_serve(tmp_path, "Walker", *args))

        def successor() -> None:
            process.wait()
            stack.enter_context(proctor_serve(tmp_path, "Walker", *args, port=int(url.rpartition(":")[2])))

        waiter = threading.Thread(target=successor)
        waiter.start()
        # The successor needs longer to start than a client waits for a connection: some episodes may find nobody.
        result = execute(numbered(url, 8), tmp_path / "r", options())
        waiter.join()
        rows = {row.spec.episode: row for row in read_episodes(tmp_path / "r")}
        assert [rows[n].status for n in range(3)] == ["completed"] * 3
        assert rows[3].status == "policy_error"
        assert (rows[3].outcome.steps, "closed the connection" in rows[3].error) == (2, True)
        lost = [row for n, row in rows.items() if n > 3 and row.status != "completed"]
        assert all(row.status == "policy_error" and url in row.error and row.outcome.steps == 0 for row in lost), lost
        assert result.errors >= 1
        # The same command again: what failed is tried again, what is there is kept.
        again = execute(numbered(url, 8), tmp_path / "r", options())
        assert (again.skipped, again.ran, again.errors) == (8 - result.errors, result.errors, 0)


def test_two_clients_with_one_token_and_none_without_it(tmp_path, monkeypatch):
    with proctor_serve(tmp_path, "Walker", "--token", "sesame") as (_, url):
        monkeypatch.delenv("PROCTOR_TOKEN", raising=False)
        with pytest.raises(ProctorError, match="token"):
            execute(numbered(url), tmp_path / "r", options())
        assert not (tmp_path / "r").exists()
        monkeypatch.setenv("PROCTOR_TOKEN", "sesame")
        name, args = parse_policy(url, ["token=sesame"])
        runs = [numbered(name, 6, **args), replace(numbered(name, 6, **args), seed=8)]
        errors: list[int] = []
        threads = [
            threading.Thread(target=lambda p=p, i=i: errors.append(execute(p, tmp_path / str(i), options()).errors))
            for i, p in enumerate(runs)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT_S)
        assert errors == [0, 0]
        assert all("sesame" not in (tmp_path / str(i) / "run.json").read_text() for i in range(2))


def cli(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "proctor", *args], capture_output=True, text=True, timeout=LIMIT_S)


def test_exit_codes_and_lines_of_the_command(tmp_path):
    suite = tmp_path / "own"
    suite.mkdir()
    source = find("arena/static_obstacles/L0")[0].path.read_text()
    for word in ("none", "nan"):
        (suite / f"{word}.cbddl").write_text(re.sub(r"\(:language [^)]*\)", f"(:language {word})", source))
    run = ["run", str(suite), "--env", "point_world:PointEnv", "-n", "2", "--max-steps", "5"]
    with serving(ProctorServer()) as url:
        done = cli(*run, "--policy", url, "--out", str(tmp_path / "r"))
    assert done.returncode == 1, done.stderr
    assert "policy_error" in done.stdout
    statuses = sorted((row.language.instruction, row.status) for row in read_episodes(tmp_path / "r"))
    assert statuses == [("nan", "policy_error")] * 2 + [("none", "completed")] * 2
    with proctor_serve(tmp_path, "Fast") as (_, url):
        refused = cli(*run, "--policy", url, "--out", str(tmp_path / "s"))
        port = url.rpartition(":")[2]
        taken = cli("serve", "noop", "--port", port)
    for result, says in ((refused, "'walker' needs control_hz=50.0, environment 'point' has"), (taken, port)):
        assert result.returncode == 2, result.stdout + result.stderr
        assert says in " ".join(result.stderr.split())
        assert "Traceback" not in result.stderr
    assert not (tmp_path / "s").exists()
