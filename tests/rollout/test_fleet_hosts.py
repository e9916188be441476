"""Whole fleets of processes: agents are killed, frozen, refused; the run is killed; every episode has one row."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from dataclasses import replace
from pathlib import Path

from fleet_tools import PATIENCE_S, FleetRun, exactly_once, start_agent, wait_for_rows, wait_until
from test_rollout_run import options, results

from proctor.record import read_episodes, read_history, read_steps
from proctor.rollout import execute
from proctor.rollout.fleet import LocalAgent


def test_one_of_two_agents_is_killed_and_the_rows_are_those_of_a_local_run(make_plan, tmp_path):
    plan = make_plan(20, tasks=2)
    with FleetRun(plan, tmp_path / "r", env_args={"step_s": 0.01}, episode={"record_steps": True}) as run:
        victim, other = run.agent(2), run.agent(1)
        wait_until(lambda: any("3 workers" in said for said in run.said))
        before = len(read_history(tmp_path / "r"))
        run.wait_for_rows(before + 3)
        victim.kill()
        victim.wait()
        run.wait_for_note("is gone; its")
        run.finish()
    assert other.wait(timeout=PATIENCE_S) == 0
    rows = exactly_once(plan, tmp_path / "r")
    execute(plan, tmp_path / "local", replace(options(env_args={"step_s": 0.0}, record_steps=True)))
    assert results(tmp_path / "r") == results(tmp_path / "local")
    here = {row.episode_id: row for row in read_episodes(tmp_path / "local")}
    for row in rows:
        ours, theirs = (read_steps(tmp_path / name / row.steps_file) for name in ("r", "local"))
        assert (ours == theirs).all()
        assert row.steps_file == here[row.episode_id].steps_file
    # Nothing unfinished is left behind.
    assert not list((tmp_path / "r").rglob("*.part*"))
    assert not (tmp_path / "r" / "logs").exists()


def test_an_agent_that_freezes_and_wakes_late_makes_no_duplicate(make_plan, tmp_path):
    plan = make_plan(20, tasks=1)
    with FleetRun(plan, tmp_path / "r", lease_s=4.0, env_args={"step_s": 0.01}) as run:
        sleeper = run.agent(1)
        run.wait_for_rows(2)
        sleeper.send_signal(signal.SIGSTOP)
        run.wait_for_note("was silent for 4 s")
        other = run.agent(1)
        run.wait_for_rows(4)
        # Its worker went on while the agent was frozen: at least one row is waiting to be sent, late.
        sleeper.send_signal(signal.SIGCONT)
        run.finish()
    assert (sleeper.wait(timeout=PATIENCE_S), other.wait(timeout=PATIENCE_S)) == (0, 0)
    rows = exactly_once(plan, tmp_path / "r")
    assert max(row.attempt for row in rows) <= 2
    assert sleeper.stdout is not None
    assert sleeper.stdout.read().count("joined") == 1


def _command(out: Path, *more: str) -> list[str]:
    words = ["run", "arena/static_obstacles/L0", "--policy", "point_world:GoPolicy", "--env", "point_world:PointEnv"]
    return [sys.executable, "-m", "proctor", *words, "--env-arg", "step_s=0.005", "--out", str(out), *more]


def test_a_run_killed_with_its_agents_alive_resumes_and_they_join_again(tmp_path):
    out = tmp_path / "r"
    command = _command(out, "-n", "5", "--fleet", "--lease", "1")
    agent = None
    for number in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
            assert run.stdout is not None
            said = iter(run.stdout)
            assert any("agents join with: proctor worker tcp://127.0.0.1:" in line for line in said)
            # The agent finds the run by its folder, which names another port each time.
            agent = agent or start_agent(str(out), 1)
            if number == 0:
                wait_for_rows(out, 4)
                run.kill()
            else:
                assert "25 episodes in" in "".join(said)
        assert run.returncode == (0 if number else -signal.SIGKILL)
    assert agent is not None
    heard, problem = agent.communicate(timeout=PATIENCE_S)
    assert agent.returncode == 0, (heard, problem)
    history = read_history(out)
    assert len(history) == len({row.episode_id for row in history}) == 25
    assert heard.count("joined") == 2
    assert not (out / "logs").exists()


def test_agents_share_two_replicas_of_a_served_policy(make_plan, tmp_path):
    """Each agent asks the servers itself, and both servers get episodes."""
    files = [tmp_path / "one", tmp_path / "two"]
    serve = [sys.executable, "-m", "proctor", "serve", "random", "--port", "0", "--metrics-port", "0", "--ready-file"]
    servers = [subprocess.Popen([*serve, str(file)], stdout=subprocess.PIPE, text=True) for file in files]
    try:
        wait_until(lambda: all(file.exists() for file in files))
        url = ",".join(file.read_text().strip() for file in files).replace(",proctor://", ",")
        plan = make_plan(8, tasks=2, policy=url)
        with FleetRun(plan, tmp_path / "r", env_args={"step_s": 0.01}) as run:
            agents = [run.agent(1), run.agent(1)]
            wait_until(lambda: any("2 workers" in said for said in run.said))
            run.finish()
        assert [agent.wait(timeout=PATIENCE_S) for agent in agents] == [0, 0]
        exactly_once(plan, tmp_path / "r")
        begun = [_episodes_begun(server) for server in servers]
        assert sum(begun) == 16
        assert min(begun) >= 1
    finally:
        for server in servers:
            server.kill()
            server.wait()


def _episodes_begun(server: subprocess.Popen) -> int:
    assert server.stdout is not None
    address = re.search(r"http://\S+/metrics", next(line for line in server.stdout if "/metrics" in line))
    assert address is not None
    with urllib.request.urlopen(address[0], timeout=PATIENCE_S) as answer:
        found = re.search(r"^proctor_episodes_total (\d+)", answer.read().decode(), re.MULTILINE)
    assert found is not None
    return int(found[1])


def test_local_workers_take_part_and_the_token_is_not_in_the_folder(tmp_path):
    out = tmp_path / "r"
    command = _command(out, "-n", "3", "--fleet", "--workers", "1", "--token", "s3cret-word")
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    assert re.search(r"agents join with: proctor worker tcp://127\.0\.0\.1:\d+ --token s3cret-word\n", done.stdout)
    assert "1 worker on 1 host" in done.stdout
    assert len(read_history(out)) == 15
    assert all(b"s3cret-word" not in file.read_bytes() for file in out.rglob("*") if file.is_file())


def test_the_token_of_the_environment_is_the_runs_and_is_not_shown_nor_is_the_policys(tmp_path):
    """A policy's own token is put into the environment by its URL; it must not become what agents have to know."""
    out = tmp_path / "r"
    words = ["run", "arena/static_obstacles/L0", "--policy", "proctor://127.0.0.1:9", "--policy-arg", "token=policys"]
    command = [sys.executable, "-m", "proctor", *words, "--listen", "tcp://0.0.0.0:0", "--workers", "1"]
    command += ["--policy-arg", "wait=0.1", "--name", "x", "--out", str(out)]
    environment = {**os.environ, "PROCTOR_TOKEN": "fleets"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE_S)
    assert done.returncode == 2, done
    assert re.search(r"agents join with: proctor worker tcp://\S+ --token \.\.\.\n", done.stdout)
    assert "fleets" not in done.stdout + done.stderr
    assert "policys" not in done.stdout + done.stderr
    assert not out.exists()


def test_an_agent_that_is_refused_or_finds_nobody_says_so_in_one_line(make_plan, tmp_path):
    with FleetRun(make_plan(1), tmp_path / "r", token="right") as run:
        refused = run.agent(1, token="wrong")
        nobody = start_agent("tcp://127.0.0.1:9", 1, "--patience", "0.5")
        for agent, says in (
            (refused, f"error: the run at {run.address} refused: wrong token: give the one that the run printed"),
            (nobody, "error: no run answers at tcp://127.0.0.1:9 (looked for 0.5 s)"),
        ):
            _, error = agent.communicate(timeout=PATIENCE_S)
            assert agent.returncode == 2
            assert error.startswith(says)
            assert error.count("\n") == 1


def test_a_policy_that_is_not_there_is_refused_before_the_first_episode(make_plan, tmp_path):
    with FleetRun(make_plan(1, policy="no_such_module:Policy"), tmp_path / "r") as run:
        agent = run.agent(1)
        run.thread.join(timeout=PATIENCE_S)
        assert "there is no module 'no_such_module'" in str(run.error)
        _, error = agent.communicate(timeout=PATIENCE_S)
        assert agent.returncode == 2
        assert "there is no module 'no_such_module'" in error
    assert not (tmp_path / "r").exists()


def test_an_agent_told_to_stop_gives_back_what_it_holds(make_plan, tmp_path):
    plan = make_plan(6, tasks=1)
    with FleetRun(plan, tmp_path / "r", lease_s=600.0, env_args={"step_s": 0.02}) as run:
        leaver = run.agent(1)
        run.wait_for_rows(1)
        leaver.terminate()
        assert leaver.wait(timeout=PATIENCE_S) == 0
        run.wait_for_note("has left; its")
        run.agent(1)
        run.finish()
    assert {row.attempt for row in exactly_once(plan, tmp_path / "r")} == {1}


def test_the_local_agent_ends_with_its_run(make_plan, tmp_path):
    """The launcher's agent dies with the process that started it, however that ends."""
    code = (
        "import os, sys, time; from pathlib import Path; from proctor.rollout.fleet import LocalAgent;"
        "a = LocalAgent(1, Path(sys.argv[1])); a.start('tcp://127.0.0.1:9', ''); print(a._process.pid, flush=True);"
        "time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "log")], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        # Until the agent has asked to die with its parent, it could be orphaned; it checks for that itself.
        parent.kill()
    wait_until(lambda: not Path(f"/proc/{child}").exists() or _is_zombie(child))


def _is_zombie(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_threads_and_processes_are_gone_after_a_run(make_plan, tmp_path):
    before = threading.active_count()
    launcher = LocalAgent(1, tmp_path / "r" / "logs" / "agent.log")
    with FleetRun(make_plan(1), tmp_path / "r", launchers=(launcher,)) as run:
        run.finish()
    assert threading.active_count() == before
    assert launcher._process is not None
    assert launcher._process.returncode == 0
