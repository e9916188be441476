"""Whole runs on worker processes: the same whatever the number of workers, whatever dies in between."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from proctor.core import ProctorError
from proctor.results import RunFolder, StoreError, read_episodes, read_history, read_parquet, read_run
from proctor.run.engine import EpisodeOptions, PlanMismatchError, RunOptions, WorkerError, execute

ENV = "point_world:PointEnv"


def options(workers: int = 1, env_args: dict | None = None, grace_s: float = 5.0, **episode) -> RunOptions:
    return RunOptions(
        workers=workers, env=ENV, env_args=env_args or {}, grace_s=grace_s, episode=EpisodeOptions(**episode)
    )


def results(path: Path) -> dict[str, dict]:
    return {row.episode_id: row.result() for row in read_episodes(path)}


def test_one_or_two_workers_and_two_processes_give_the_same_rows(make_plan, tmp_path):
    plan = make_plan(17)
    for name, workers in (("one", 1), ("two", 2), ("again", 2)):
        result = execute(plan, tmp_path / name, options(workers))
        assert (result.ran, result.errors, result.interrupted) == (51, 0, False)
    one, two, again = (results(tmp_path / name) for name in ("one", "two", "again"))
    assert one == two == again
    assert set(one) == {spec.episode_id for spec in plan}
    assert len({row["outcome.trajectory_hash"] for row in one.values()}) == 51
    assert read_parquet(tmp_path / "two" / "episodes.parquet") == read_episodes(tmp_path / "two")


def test_same_command_again_runs_nothing_and_more_episodes_run_only_the_new(make_plan, tmp_path):
    execute(make_plan(2), tmp_path / "r", options())
    before = (tmp_path / "r" / "episodes.jsonl").read_bytes()
    again = execute(make_plan(2), tmp_path / "r", options())
    assert (again.skipped, again.ran) == (6, 0)
    assert (tmp_path / "r" / "episodes.jsonl").read_bytes() == before
    more = execute(make_plan(4), tmp_path / "r", options())
    assert (more.planned, more.skipped, more.ran) == (12, 6, 6)
    execute(make_plan(4), tmp_path / "whole", options())
    assert results(tmp_path / "r") == results(tmp_path / "whole")
    fewer = execute(make_plan(1), tmp_path / "r", options())
    assert (fewer.planned, fewer.ran) == (3, 0)
    assert read_run(tmp_path / "r")["plan"]["episodes"] == 4


def test_another_plan_or_other_code_is_refused_and_changes_nothing(make_plan, tmp_path):
    execute(make_plan(2), tmp_path / "r", options())
    before = {p.name: p.read_bytes() for p in (tmp_path / "r").glob("*.*") if p.name != "run.lock"}
    for plan, how, says in (
        (make_plan(2, seed=8), options(), "--seed was 7 and is now 8"),
        (make_plan(2, policy="noop"), options(), "--policy was 'point_world:GoPolicy'"),
        (make_plan(3), options(env_args={"version": "2"}), "another assets ('1', now '2')"),
    ):
        with pytest.raises(PlanMismatchError) as error:
            execute(plan, tmp_path / "r", how)
        assert says in str(error.value)
        assert "choose another --out" in str(error.value)
    assert {p.name: p.read_bytes() for p in (tmp_path / "r").glob("*.*") if p.name != "run.lock"} == before


def test_a_run_json_from_elsewhere_is_refused(make_plan, tmp_path):
    execute(make_plan(1), tmp_path / "r", options())
    for text in ('{"plan": {}}', json.dumps({"plan": make_plan(1).describe()})):
        (tmp_path / "r" / "run.json").write_text(text)
        with pytest.raises(PlanMismatchError, match=r"run\.json cannot be understood"):
            execute(make_plan(1), tmp_path / "r", options())


def test_errors_are_retried_and_the_good_rows_are_kept(make_plan, tmp_path):
    plan = make_plan(4)
    first = execute(plan, tmp_path / "r", options(env_args={"fail_episode": 2}))
    assert (first.ran, first.errors) == (12, 3)
    assert [r.outcome.success for r in read_episodes(tmp_path / "r") if r.spec.episode == 2] == [None] * 3
    second = execute(plan, tmp_path / "r", options())
    assert (second.skipped, second.ran, second.errors) == (9, 3, 0)
    execute(plan, tmp_path / "clean", options())
    assert results(tmp_path / "r") == results(tmp_path / "clean")
    assert {r.attempt for r in read_episodes(tmp_path / "r") if r.spec.episode == 2} == {2}
    assert len(read_history(tmp_path / "r")) == 15


@pytest.mark.parametrize("how", ["nan", "shape", "range", "raise", "sleep", "abort"])
def test_bad_policies_spoil_their_own_episodes_only(make_plan, tmp_path, how):
    plan = make_plan(2, policy="point_world:BadPolicy", policy_args={"how": how})
    result = execute(plan, tmp_path / "r", options(2, policy_timeout_s=0.5))
    assert (result.ran, result.errors) == (6, 3)
    execute(make_plan(2), tmp_path / "good", options())
    good = {r.pair_id: r.outcome.trajectory_hash for r in read_episodes(tmp_path / "good")}
    for row in read_episodes(tmp_path / "r"):
        if row.spec.episode == 0:
            assert row.status == "completed"
            assert row.outcome.trajectory_hash == good[row.pair_id]
        else:
            assert row.outcome.success is None
            assert row.status == ("infra_error" if how == "abort" else "policy_error")
            assert row.error
            if how == "abort":
                assert "died (signal SIGABRT) 2 times" in row.error
                assert row.attempt == 2


def test_a_policy_that_cannot_be_interrupted_is_ended_with_its_worker(make_plan, tmp_path):
    plan = make_plan(2, tasks=1, policy="point_world:BadPolicy", policy_args={"how": "swallow"})
    result = execute(plan, tmp_path / "r", options(policy_timeout_s=0.3, grace_s=0.5))
    assert (result.ran, result.errors) == (2, 1)
    bad = next(r for r in read_episodes(tmp_path / "r") if r.spec.episode == 1)
    assert bad.status == "policy_error"
    assert "within 0.3 s and could not be interrupted" in bad.error


def test_an_environment_that_never_returns_is_ended_with_its_worker(make_plan, tmp_path):
    how = replace(options(env_args={"hang_episode": 0}), env_timeout_s=0.5)
    result = execute(make_plan(2, tasks=1), tmp_path / "r", how)
    assert (result.ran, result.errors) == (2, 1)
    bad = next(r for r in read_episodes(tmp_path / "r") if r.spec.episode == 0)
    assert bad.status == "infra_error"
    assert "the environment did not return within 0.5 s" in bad.error


def test_a_crashing_simulator_costs_two_attempts_and_nothing_else(make_plan, tmp_path):
    result = execute(make_plan(3, tasks=2), tmp_path / "r", options(2, env_args={"crash_episode": 1}))
    assert (result.ran, result.errors) == (6, 2)
    assert {(r.spec.episode, r.status) for r in read_episodes(tmp_path / "r")} == {
        (0, "completed"),
        (1, "infra_error"),
        (2, "completed"),
    }


@pytest.mark.parametrize(
    ("policy", "args", "says"),
    [
        ("no_such_module:X", {}, "there is no module 'no_such_module'"),
        ("point_world:GoPolicie", {}, "did you mean 'GoPolicy'?"),
        ("point_world:GoPolicy", {"chnk": 2}, "did you mean 'chunk'?"),
        ("point_world:GoPolicy", {"cameras": "ceiling"}, "needs camera 'ceiling', environment 'point' has agentview"),
    ],
)
def test_a_policy_that_cannot_be_built_leaves_no_folder(make_plan, tmp_path, policy, args, says):
    with pytest.raises(WorkerError) as error:
        execute(make_plan(policy=policy, policy_args=args), tmp_path / "r", options(2))
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "r").exists()


def test_replay_repeats_the_trajectory(make_plan, tmp_path):
    execute(make_plan(3), tmp_path / "r", options(record_steps=True))
    plan = make_plan(3, policy="replay", policy_args={"path": str(tmp_path / "r")})
    result = execute(plan, tmp_path / "again", options())
    assert result.errors == 0
    first, second = ({r.pair_id: r for r in read_episodes(tmp_path / n)} for n in ("r", "again"))
    assert {k: r.outcome.trajectory_hash for k, r in first.items()} == {
        k: r.outcome.trajectory_hash for k, r in second.items()
    }
    assert all(first[k].outcome.success == second[k].outcome.success for k in first)
    longer = execute(replace(plan, episodes=4), tmp_path / "again", options())
    assert longer.errors == 3
    assert any("no recording of" in r.error for r in read_episodes(tmp_path / "again"))


def test_a_slow_episode_holds_up_nobody(make_plan, tmp_path):
    """One of two workers is kept busy by a slow policy call; the other must do all the rest meanwhile."""
    plan = make_plan(12, tasks=1, policy="slow_first:Policy")
    (tmp_path / "slow_first.py").write_text(
        "import pathlib, time\nfrom point_world import GoPolicy\n"
        f"here = pathlib.Path({str(tmp_path)!r})\n"
        "class Policy(GoPolicy):\n"
        "    def reset(self, instruction, episode):\n"
        "        super().reset(instruction, episode)\n"
        "        (here / f'{episode.episode}.begun').touch()\n"
        "        end = time.monotonic() + 60\n"
        "        while episode.episode == 0 and len(list(here.glob('*.begun'))) < 12:\n"
        "            time.sleep(0.01)\n"
        "            if time.monotonic() > end:\n"
        "                raise RuntimeError('the others wait for me')\n"
    )
    os.environ["PYTHONPATH"] += os.pathsep + str(tmp_path)
    execute(plan, tmp_path / "r", options(2))
    rows = read_episodes(tmp_path / "r")
    assert [row.error for row in rows] == [""] * 12
    assert 0 in [row.spec.episode for row in rows][-2:], "only the last of the others may still be under way"


def test_workers_say_what_they_print_into_a_log_and_not_to_the_terminal(make_plan, tmp_path, capfd):
    (tmp_path / "chatty.py").write_text(
        "from point_world import GoPolicy\nclass Policy(GoPolicy):\n"
        "    def reset(self, instruction, episode):\n        super().reset(instruction, episode); print('hello')\n"
    )
    os.environ["PYTHONPATH"] += os.pathsep + str(tmp_path)
    execute(make_plan(1, policy="chatty:Policy"), tmp_path / "r", options())
    assert capfd.readouterr().out == ""
    assert (tmp_path / "r" / "logs" / "worker-0.log").read_text() == "hello\n" * 3


def test_run_json_says_what_was_asked(make_plan, tmp_path):
    execute(make_plan(1), tmp_path / "r", options(), command=["proctor", "run"], arguments={"seed": 7})
    run = read_run(tmp_path / "r")
    assert run["command"] == ["proctor", "run"]
    assert run["arguments"] == {"seed": 7}
    assert run["plan_hash"] == make_plan(1).plan_hash
    assert run["policy"]["fingerprint"].startswith("source-")
    assert run["env"]["fingerprint"]["assets"] == "1"


@pytest.mark.parametrize("how", [{"workers": 0}, {"policy_timeout_s": 0.0}])
def test_senseless_options_are_refused(make_plan, tmp_path, how):
    with pytest.raises(ProctorError, match="it must be"):
        execute(make_plan(), tmp_path / "r", options(**how))
    assert not (tmp_path / "r").exists()


def _launch(plan, out: Path, step_s: float, workers: int = 2) -> subprocess.Popen:
    code = (
        "import json, sys\n"
        "from proctor.run.plan import Plan\n"
        "from proctor.run.engine import RunOptions, execute\n"
        f"plan = Plan.from_description(json.loads({json.dumps(plan.describe())!r}))\n"
        f"how = RunOptions(workers={workers}, env={ENV!r}, env_args={{'step_s': {step_s}}})\n"
        f"r = execute(plan, {str(out)!r}, how)\n"
        "sys.exit(130 if r.interrupted else 0)\n"
    )
    return subprocess.Popen([sys.executable, "-c", code])


def _wait_for_rows(out: Path, count: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        rows = out / "episodes.jsonl"
        if rows.exists() and rows.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.005)
    raise AssertionError("the run did not get going")


def _workers_of(out: Path) -> list[int]:
    """Return living processes that hold a file open below ``out`` (the workers' logs)."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                links = [os.readlink(fd) for fd in (process / "fd").iterdir()]
            except OSError:
                continue
            if any(link.startswith(str(out)) for link in links):
                found.append(int(process.name))
    return found


def test_kill_9_three_times_then_resume_equals_the_uninterrupted_run(make_plan, tmp_path):
    plan = make_plan(12)
    execute(plan, tmp_path / "whole", options(2))
    rng = random.Random(5)
    out = tmp_path / "r"
    for kill in range(3):
        process = _launch(plan, out, 0.002)
        _wait_for_rows(out, 6 * (kill + 1))
        time.sleep(rng.uniform(0, 0.1))
        process.kill()
        process.wait()
        # Nobody may go on writing or computing for a parent that is gone.
        deadline = time.monotonic() + 60
        while _workers_of(out) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not _workers_of(out)
        done = {r.episode_id for r in read_episodes(out)}
        assert len(done) < 36
    final = execute(plan, out, options(2))
    assert final.skipped == len(done)
    assert results(out) == results(tmp_path / "whole")
    history = [r.episode_id for r in read_history(out)]
    assert sorted(history) == sorted(spec.episode_id for spec in plan)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_keeps_what_is_done(make_plan, tmp_path, number):
    plan = make_plan(12)
    process = _launch(plan, tmp_path / "r", 0.005)
    _wait_for_rows(tmp_path / "r", 4)
    process.send_signal(number)
    assert process.wait(timeout=60) == 130
    rows = read_episodes(tmp_path / "r")
    assert 4 <= len(rows) < 36
    assert {r.status for r in rows} == {"completed"}
    assert read_parquet(tmp_path / "r" / "episodes.parquet") == rows
    assert execute(plan, tmp_path / "r", options(2)).ran == 36 - len(rows)


def test_two_runs_into_one_folder(make_plan, tmp_path):
    process = _launch(make_plan(12), tmp_path / "r", 0.005)
    _wait_for_rows(tmp_path / "r", 1)
    with pytest.raises(StoreError, match=f"in use by process {process.pid}"):
        execute(make_plan(12), tmp_path / "r", options())
    assert process.wait(timeout=60) == 0
    assert len(read_history(tmp_path / "r")) == 36


def test_runs_outside_the_main_thread_too(make_plan, tmp_path):
    thread = threading.Thread(target=execute, args=(make_plan(2), tmp_path / "r", options()))
    thread.start()
    thread.join(timeout=60)
    assert len(read_episodes(tmp_path / "r")) == 6


def test_leftovers_of_a_killed_film_are_removed(make_plan, tmp_path):
    execute(make_plan(1), tmp_path / "r", options())
    (tmp_path / "r" / "videos").mkdir()
    (tmp_path / "r" / "videos" / "abc.part77.mp4").write_bytes(b"half")
    with RunFolder(tmp_path / "r"):
        assert not list((tmp_path / "r" / "videos").iterdir())
