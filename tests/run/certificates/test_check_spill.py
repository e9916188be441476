"""A vessel that loses something by itself has not settled."""

from __future__ import annotations

import numpy as np
from world_bench import STILL, Bench

from proctor.run.certificates._jobs import _unrest
from proctor.sim import TABLE_Z


def test_what_leaves_a_vessel_by_itself_is_unrest(bench: Bench) -> None:
    scene = bench.build(
        objects={"blue_mug_1": "blue_mug"}, at={"blue_mug_1": (-0.1, 0.1)}, blocks="(:fill (blue_mug_1 5))"
    )
    bench.env.step(STILL)
    assert _unrest(bench.env, 0) == []
    scene.put("blue_mug_1_water_5", np.array([0.2, 0.2, TABLE_Z]))
    bench.env.step(STILL)
    (why,) = _unrest(bench.env, 7)
    assert why == "layout 7: 1 of the particles left their vessels by themselves"
