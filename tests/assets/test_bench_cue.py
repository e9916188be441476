"""Laws of the cue: it lies still though its stick is long, and jaws meet its grip."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.assets import make


def test_a_cue_rests_where_it_is_put(bench):
    b = bench([make("cue", seed) for seed in (0, 1)])
    b.data.qpos[[2, 9]] = 0.001
    b.step(1.0)
    for k, (x, y) in enumerate(b.offsets):
        assert b.tilt_deg(f"o{k}") < 1.5
        assert np.hypot(b.data.qpos[7 * k] - x, b.data.qpos[7 * k + 1] - y) < 2e-3


def test_jaws_meet_the_grip_and_the_tip_lies_ahead(bench):
    asset = make("cue", 1)
    b = bench([asset])
    tip = max(c.pos[0] for c in asset.root.colliders if c.part == "tip")
    for grasp in asset.grasps:
        position, closing = np.array(grasp.position), np.array(grasp.closing)
        ahead, behind = (b.hit(position - s * 0.042 * closing, s * closing) for s in (1, -1))
        assert 0.084 - ahead - behind == pytest.approx(grasp.width_m, abs=1e-4)
        assert tip > position[0] + 0.14
