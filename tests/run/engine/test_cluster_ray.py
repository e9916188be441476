"""A run on a Ray cluster: two nodes on this machine, of which one is killed; its rows are those of a run on one host."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial

import pytest
from test_cluster_merge import results

from proctor.results import read_episodes, read_steps
from proctor.run.cluster import RayOptions, RayWorkers
from proctor.run.engine import EpisodeOptions, RunOptions, execute

STORE_BYTES = 80 * 2**20
POINT = RunOptions(env="point_world:PointEnv", episode=EpisodeOptions(record_steps=True))


class Listener:
    """Hears of rows, and does something when there are so many."""

    def __init__(self, at=0, act=lambda: None):
        self.count, self.at, self.act = 0, at, act

    def begin(self, total, done):
        self.peaks = []

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
    patch.setenv("PYTHONPATH", os.path.dirname(__file__))
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
    assert "4 workers on 1 hosts" in said
    assert any("is lost; its" in note for note in notes), notes
    # One row for each, equal to those of one host; the files came with them.
    assert results(tmp_path / "there") == results(tmp_path / "here")
    for row in read_episodes(tmp_path / "there"):
        ours, theirs = (read_steps(tmp_path / name / row.steps_file) for name in ("there", "here"))
        assert (ours == theirs).all()
    assert not list((tmp_path / "there").rglob("*.part*"))
