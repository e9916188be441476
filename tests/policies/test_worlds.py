"""A server of a model trained on LIBERO's data gets LIBERO's state and pictures, and its actions are slowed to ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from proctor.core import Observation, ProctorError
from proctor.policies.adapters import Adapter
from proctor.policies.remote._worlds import Worlds

# A hand that points down, whose axis-angle has just jumped to the other side.
SEEN = Observation({}, np.array([0.4, 0.1, 0.2, -3.0, 0.05, 0.01, 0.04, -0.04]), "go", 0)
ACTIONS = np.array([[1.0, -1.0, 0.5, 1.0, -1.0, 0.5, 1.0], [2.0, 0, 0, 0, 0, 0, -3.0]])


def worlds(**changed: Any) -> Worlds:
    arguments: dict[str, Any] = {"trained_on": "libero", "examined_in": "proctor", "motion_scale": None, "orient": None}
    return Worlds(**{**arguments, **changed})


def test_libero_in_our_world_is_what_the_adapters_do() -> None:
    adapter = Adapter()
    adapter.chunk = 2
    here = worlds()
    assert here.orient == "mirror"
    np.testing.assert_array_equal(here.state(SEEN), adapter.state(SEEN))
    assert here.state(SEEN)[3] > 0
    actions = here.actions(ACTIONS)
    np.testing.assert_array_equal(actions, adapter.to_actions(ACTIONS))
    np.testing.assert_allclose(actions[0], [0.255, -0.255, 0.1275, 0.23, -0.23, 0.115, 1.0])
    np.testing.assert_allclose(actions[1], [0.255, 0, 0, 0, 0, 0, -1.0])


def test_a_server_of_ours_is_left_alone() -> None:
    here = worlds()
    here.meet(ours=True)
    assert here.orient == "mirror"
    np.testing.assert_array_equal(here.state(SEEN), SEEN.state)
    np.testing.assert_array_equal(here.actions(ACTIONS), ACTIONS)


def test_trained_here_changes_nothing() -> None:
    here = worlds(trained_on="proctor")
    assert here.orient == "upright"
    np.testing.assert_array_equal(here.state(SEEN), SEEN.state)
    np.testing.assert_array_equal(here.actions(ACTIONS), ACTIONS)


def test_libero_in_libero_keeps_motion_and_state() -> None:
    there = worlds(examined_in="libero")
    assert there.orient == "mirror"
    np.testing.assert_array_equal(there.state(SEEN), SEEN.state)
    np.testing.assert_array_equal(there.actions(ACTIONS), np.clip(ACTIONS, -1, 1))


def test_overruled() -> None:
    here = worlds(motion_scale=0.5, orient="rotate180")
    assert here.orient == "rotate180"
    np.testing.assert_allclose(here.actions(ACTIONS)[0, :6], 0.5 * ACTIONS[0, :6])
    assert worlds(trained_on="proctor", motion_scale=[0.1, 0.2]).actions(ACTIONS)[0, 3] == pytest.approx(0.2)


def test_other_action_spaces_pass() -> None:
    joints = np.full((3, 8), 2.0)
    np.testing.assert_array_equal(worlds().actions(joints), joints)


@pytest.mark.parametrize("changed", [{"trained_on": "mars"}, {"motion_scale": 0}, {"orient": "sideways"}])
def test_nonsense(changed: dict[str, Any]) -> None:
    with pytest.raises(ProctorError):
        worlds(**changed)
