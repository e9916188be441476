"""Ray only places agents: two nodes on this machine, one is killed in the middle."""

from __future__ import annotations

import sys

import pytest
from fleet_tools import FleetRun, exactly_once, wait_until

from proctor.rollout.fleet import FleetError, RayAgents

STORE_BYTES = 80 * 2**20


@pytest.mark.slow
def test_a_lost_node_costs_no_episode_and_its_agent_starts_elsewhere(make_plan, tmp_path, monkeypatch):
    pytest.importorskip("ray")
    monkeypatch.setenv("RAY_DISABLE_IMPORT_WARNING", "1")
    # The dead node is noticed in seconds, not half a minute.
    monkeypatch.setenv("RAY_health_check_initial_delay_ms", "500")
    monkeypatch.setenv("RAY_health_check_period_ms", "500")
    monkeypatch.setenv("RAY_health_check_failure_threshold", "3")
    from ray.cluster_utils import Cluster

    node = {"object_store_memory": STORE_BYTES, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "num_cpus": 2})
    try:
        victim = cluster.add_node(num_cpus=1, object_store_memory=STORE_BYTES)
        agents = RayAgents(cluster.address, 2)
        plan = make_plan(40, tasks=1)
        with FleetRun(plan, tmp_path / "r", env_args={"step_s": 0.02}, launchers=(agents,)) as run:
            wait_until(lambda: any("2 workers" in said for said in run.said))
            run.wait_for_rows(4)
            cluster.remove_node(victim, allow_graceful=False)
            run.wait_for_note("is gone; its")
            # One CPU of the other node was free: Ray has put the agent there, and it has joined.
            before = len(run.said)
            wait_until(lambda: any("2 workers" in said for said in run.said[before + 2 :]) or run.result is not None)
            assert run.result is None, "the run was over before the agent was replaced"
            run.finish()
        exactly_once(plan, tmp_path / "r")
    finally:
        cluster.shutdown()


def test_without_ray_the_line_says_how_to_get_it(make_plan, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(FleetError, match=r"not installed: pip install 'proctor\[ray\]'"):
        FleetRun(make_plan(1), tmp_path / "r", launchers=(RayAgents("local"),)).__enter__().finish()
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("cpus", "total", "sizes"),
    [
        ([1, 2], 2, [1, 1]),
        ([4, 64], 0, [4] * 17),
        ([8, 8], 10, [5, 5]),
        ([8, 8], 3, [2, 1]),
        ([2], 5, [2, 2, 1]),
    ],
)
def test_agents_fit_on_the_smallest_node_and_add_up(cpus, total, sizes):
    agents = RayAgents("somewhere", total)

    class Nodes:
        @staticmethod
        def nodes():
            return [{"Alive": True, "Resources": {"CPU": float(count)}} for count in cpus] + [
                {"Alive": False, "Resources": {"CPU": 99.0}},
                {"Alive": True, "Resources": {}},
            ]

    agents._ray = Nodes
    assert agents._bundles() == sizes
    assert sum(sizes) == (total or sum(cpus))
