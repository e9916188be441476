"""From one posture to another without touching anything, or a plain word that there is no way."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ._body import Body
from ._errors import NoPathError
from ._ompl import search
from ._shorten import shorten, smooth
from ._slerp import Array
from ._space import JointPath, JointSpace

ATTEMPTS = 3
MAX_CHECKS = 6000
LEAST_STEP_M, MOST_STEP_M = 0.005, 0.024
"""Looks are twice the margin apart, within these: without a margin nothing is known between them."""


@dataclass(frozen=True)
class PlannedPath:
    """A free path, how many postures were looked at for it, and how long that took."""

    path: JointPath
    checks: int
    seconds: float


def joint_space(body: Body) -> JointSpace:
    """Return the arm's joint space with what ``body`` does not touch as free."""
    step_m = min(max(2.0 * body.margin_m, LEAST_STEP_M), MOST_STEP_M)
    return JointSpace(body.limits[:, 0], body.limits[:, 1], lambda q: body.hit(q) is None, body.lever_m, step_m)


def plan(start: Array, goal: Array, body: Body, *, seed: int = 0, max_checks: int = MAX_CHECKS) -> PlannedPath:
    """Return a short, smooth path from ``start`` to ``goal`` on which nothing is touched (see `JointSpace`).

    The straight way where it is open, else the first of `ATTEMPTS` searches whose path stays free when looked at
    finely. Raises `NoPathError` that says which end is not free and why, or that nothing was found.
    """
    began, before = time.perf_counter(), body.checks
    space = joint_space(body)
    _check_ends(start, goal, body, space)
    rng = np.random.default_rng([seed, 11])
    reason = ""
    if space.open_way(start, goal):
        return PlannedPath([start, goal], body.checks - before, time.perf_counter() - began)
    for attempt in range(ATTEMPTS):
        try:
            found = search(start, goal, space, seed=1000 * seed + attempt, max_checks=max_checks)
        except NoPathError as error:
            reason = str(error)
            continue
        if not _open(found, space):
            reason = "every path found was blocked between its postures"
            continue
        found = smooth(shorten(found, space, rng), space)
        return PlannedPath(found, body.checks - before, time.perf_counter() - began)
    raise NoPathError(reason)


def _open(path: JointPath, space: JointSpace) -> bool:
    return all(space.open_way(a, b) for a, b in pairwise(path))


def _check_ends(start: Array, goal: Array, body: Body, space: JointSpace) -> None:
    for which, q in (("start", start), ("goal", goal)):
        if not space.inside(q):
            raise NoPathError(f"the {which} is beyond the limits of the joints")
        found = body.hit(q)
        if found is not None:
            what = "the arm itself" if found == "robot/" else found
            raise NoPathError(f"at the {which} {what} is touched")
