"""A run on a Ray cluster: two nodes on this machine, one of them killed; its rows are those of a run on one host."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from test_merge import results

from proctor.results import Episode, read_episodes, read_steps, read_trace
from proctor.run.cluster import EnvironmentActor, RayOptions, RayWorkers, TaskFile
from proctor.run.engine import Assignment, EpisodeOptions, Job, RunOptions, WorkerError, execute

STORE_BYTES = 80 * 2**20
POINT = RunOptions(env="point_world:PointEnv", episode=EpisodeOptions(record_steps=True, trace_episodes=1))
POINTLESS = replace(POINT, workers=2, episode=EpisodeOptions())


class Listener:
    """Hears of rows, and does something when there are so many."""

    def __init__(self, at=0, act=lambda: None):
        self.count, self.at, self.act = 0, at, act

    def begin(self, total, done):
        """Nothing yet."""

    def row(self, episode):
        self.count += 1
        if self.count == self.at:
            self.act()


@pytest.fixture(scope="module")
def cluster():
    """Yield a cluster of this machine with two CPUs on its head, and further nodes when asked."""
    pytest.importorskip("ray")
    patch = pytest.MonkeyPatch()
    # A dead node is noticed in seconds, not in half a minute.
    patch.setenv("RAY_health_check_initial_delay_ms", "500")
    patch.setenv("RAY_health_check_period_ms", "500")
    patch.setenv("RAY_health_check_failure_threshold", "3")
    patch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "engine"))
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 2, "object_store_memory": STORE_BYTES, "include_dashboard": False}
    found = Cluster(initialize_head=True, head_node_args=head)
    yield found
    found.shutdown()
    patch.undo()


def on(cluster, **more):
    return partial(RayWorkers, cluster=RayOptions(cluster.address, **more))


def test_a_node_that_is_killed_costs_no_episode_and_repeats_none(cluster, make_plan, tmp_path):
    plan = make_plan(20, tasks=2)
    execute(plan, tmp_path / "here", POINT)
    victim = cluster.add_node(num_cpus=2, object_store_memory=STORE_BYTES)
    notes, said = [], []
    listener = Listener(8, lambda: cluster.remove_node(victim, allow_graceful=False))
    options = replace(POINT, workers=4, env_args={"step_s": 0.02})
    source = on(cluster, note=notes.append, say=said.append)
    done = execute(plan, tmp_path / "there", options, source=source, progress=listener)
    assert (done.ran, done.errors) == (40, 0)
    assert "4 workers on 1 host" in said
    assert any("is lost; its" in note for note in notes), notes
    # One row for each, equal to those of one host; the files came with them.
    assert results(tmp_path / "there") == results(tmp_path / "here")
    for row in read_episodes(tmp_path / "there"):
        ours, theirs = (read_steps(tmp_path / name / row.files.steps) for name in ("there", "here"))
        assert (ours == theirs).all()
        if row.files.trace:
            ours, theirs = (read_trace(tmp_path / name / row.files.trace) for name in ("there", "here"))
            assert [request.sent for request in ours] == [request.sent for request in theirs]
    assert len(list((tmp_path / "there" / "traces").iterdir())) == 2
    assert not list((tmp_path / "there").rglob("*.part*"))


class Meter(RayWorkers):
    """Notes how many episodes are out at most, and how many rows this process holds."""

    def run(self, todo, count, stop):
        self.out = self.most = 0
        self.held = []

        def counted():
            for assignment in todo:
                self.out += 1
                self.most = max(self.most, self.out)
                yield assignment

        for rows in super().run(counted(), count, stop):
            self.out -= len(rows)
            self.held.append(sum(type(thing) is Episode for thing in gc.get_objects()))
            yield rows


def test_of_very_many_short_episodes_few_are_out_and_the_driver_does_not_grow(cluster, make_plan, tmp_path):
    plan = make_plan(3000, tasks=1, policy="noop")
    plan = replace(plan, tasks=(replace(plan.tasks[0], max_steps=2),))
    meters = []

    def source(*args, **more):
        meters.append(Meter(*args, cluster=RayOptions(cluster.address), **more))
        return meters[0]

    done = execute(plan, tmp_path / "r", POINTLESS, source=source)
    (meter,) = meters
    assert (done.ran, done.errors) == (3000, 0)
    assert len(results(tmp_path / "r")) == 3000
    # Two workers, each with 64 episodes at hand and as many ahead; the rows of as many are on their way to the disk.
    assert meter.most <= 2 * 2 * 2 * 64
    # A row that has been written is let go. (What 100,000 episodes cost in bytes: benchmarks/many_episodes.py.)
    assert max(meter.held) <= 2 * 2 * 2 * 64
    assert len(meter.held) > 8


def test_a_policy_that_kills_its_process_has_the_same_rows_as_on_one_host(cluster, make_plan, tmp_path):
    plan = make_plan(3, tasks=2, policy="point_world:BadPolicy", policy_args={"how": "abort", "every": 3})
    for name, more in (("here", {}), ("there", {"source": on(cluster)})):
        done = execute(plan, tmp_path / name, replace(POINT, workers=2), **more)
        assert (done.ran, done.errors) == (6, 2)
    here, there = ({row["episode_id"]: row for row in results(tmp_path / name).values()} for name in ("here", "there"))
    assert {key: {**row, "error": ""} for key, row in here.items()} == {
        key: {**row, "error": ""} for key, row in there.items()
    }


def test_ray_places_servers_of_the_policy_and_the_workers_ask_them(cluster, make_plan, tmp_path):
    plan = make_plan(4, tasks=1, policy="random", policy_args={"scale": 0.5})
    execute(plan, tmp_path / "here", POINT)
    notes = []
    source = on(cluster, replicas=1, note=notes.append)
    done = execute(plan, tmp_path / "there", replace(POINT, workers=1), source=source)
    assert (done.ran, done.errors) == (4, 0)
    assert notes == ["the policy is served by 1 server, on CPUs"]
    assert results(tmp_path / "there") == results(tmp_path / "here")


def test_a_node_with_other_code_or_without_the_policy_is_refused_before_the_first_episode(
    cluster, make_plan, tmp_path, monkeypatch
):
    one = replace(POINT, workers=1)
    with pytest.raises(WorkerError, match=r"\S+: policy 'nowhere:Policy'.*"):
        execute(make_plan(1, policy="nowhere:Policy"), tmp_path / "r", one, source=on(cluster))
    monkeypatch.setattr("proctor.run.cluster._ray.versions", lambda: {"proctor": "9.9", "mujoco": "1"})
    with pytest.raises(WorkerError, match=r"this host has 9\.9: install the same version on every node") as caught:
        execute(make_plan(1), tmp_path / "r", one, source=on(cluster))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "r").exists()


def test_a_node_runs_the_drivers_task_file_whatever_lies_at_its_path(make_plan, tmp_path):
    file = tmp_path / "here.cbddl"
    file.write_text("the goal")
    plan = make_plan(1, tasks=1)
    plan = replace(plan, tasks=(replace(plan.tasks[0], path=str(file)),))
    options = replace(POINT, env="point_world:ReadingEnv", episode=EpisodeOptions())
    execute(plan, tmp_path / "r", options)
    (row,) = read_episodes(tmp_path / "r")
    sent = {str(file): TaskFile.read(str(file))}
    # An actor is a plain object where Ray is not asked.
    job = Job(env=options.env, env_args={}, policy=plan.policy, policy_args={})
    for there in (file.unlink, lambda: file.write_text("gone off")):
        there()
        actor = EnvironmentActor(job, options, {}, "")
        assert actor.begin().failure == ""
        finished, failure = actor.exchange([Assignment(plan[0], 1)], sent)
        for _ in range(30):
            if not finished and not failure:
                finished, failure = actor.exchange([], {})
        actor.close()
        assert [item.row.result() for item in finished] == [row.result()]


def test_without_ray_the_line_says_how_to_get_it(make_plan, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(WorkerError, match=r"not installed: pip install 'proctor\[ray\]'"):
        execute(make_plan(1), tmp_path / "r", POINT, source=partial(RayWorkers, cluster=RayOptions()))
    assert not (tmp_path / "r").exists()
