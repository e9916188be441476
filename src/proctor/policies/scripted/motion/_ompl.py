"""RRT-Connect (Kuffner and LaValle 2000) by OMPL, the extra ``motion``.

Deterministic: OMPL's source of seeds is set before each search, and effort is counted in checks, not in seconds.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from ._errors import MotionError, NoPathError
from ._slerp import Array
from ._space import JointPath, JointSpace

STEP_RAD = 0.6
"""How far a tree grows at a time."""
COARSE_RAD = 0.08
"""How far apart the search looks at a motion; what it finds is looked at finely afterwards."""


def available() -> bool:
    return find_spec("ompl") is not None


def require() -> None:
    """Raise `MotionError` where OMPL is not installed."""
    if not available():
        raise MotionError("planned motion needs OMPL: pip install 'proctor[motion]', or ask for --travel scripted")


def search(start: Array, goal: Array, space: JointSpace, *, seed: int, max_checks: int) -> JointPath:
    """Return a path from ``start`` to ``goal``, looked at coarsely between its postures.

    Raises `NoPathError` when none is found within ``max_checks`` postures.
    """
    require()
    from ompl import base, geometric, util

    util.setLogLevel(util.LOG_NONE)
    util.RNG.setSeed(seed % (2**31 - 2) + 1)
    size, checks = len(start), [0]
    reals = base.RealVectorStateSpace(size)
    bounds = base.RealVectorBounds(size)
    for i in range(size):
        bounds.setLow(i, float(space.low[i]))
        bounds.setHigh(i, float(space.high[i]))
    reals.setBounds(bounds)

    def valid(state: Any) -> bool:
        checks[0] += 1
        return space.valid(np.array([state[i] for i in range(size)]))

    setup = geometric.SimpleSetup(reals)
    setup.setStateValidityChecker(valid)
    about = setup.getSpaceInformation()
    about.setStateValidityCheckingResolution(COARSE_RAD / float(reals.getMaximumExtent()))
    setup.setStartAndGoalStates(_state(reals, start), _state(reals, goal), 1e-9)
    planner = geometric.RRTConnect(about)
    planner.setRange(STEP_RAD)
    setup.setPlanner(planner)
    setup.solve(base.PlannerTerminationCondition(lambda: checks[0] >= max_checks))
    if not setup.haveExactSolutionPath():
        raise NoPathError(f"no path found in {checks[0]} checked postures")
    path = setup.getSolutionPath()
    return [np.array([path.getState(k)[i] for i in range(size)]) for k in range(path.getStateCount())]


def _state(space: Any, q: Array) -> Any:
    state = space.allocState()
    for i, value in enumerate(q):
        state[i] = float(value)
    return state
