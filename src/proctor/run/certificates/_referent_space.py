"""What ``next to``, ``between``, ``on`` and ``in`` mean, and which candidates they leave.

Gaps are horizontal, from surface to surface. A relation must leave no doubt: a candidate that nearly fits counts as a
possible meaning, and a phrase with two possible meanings is ambiguous.

- *next to X*: stands neither on nor in X, as high as part of X, at most `NEXT_TO_M` away. Meant is the nearest; another
  is possible too unless it is `CLEAR_M` farther away, and so at least half as far again.
- *between A and B*: stands neither on nor in either, and the way from A to B through it is hardly a detour: the gaps to
  A and to B and its own width add up to at most `BETWEEN` times the gap from A to B. Below `BEYOND` times, possible.
- *on X*, *at the top of X*: the predicate ``On``. *in X*, *in the top layer of X*: the centre of mass lies where X
  holds things, or in that drawer. *on the top layer of X* may be either, and must be one thing under both readings.
"""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.sim import Scene
from proctor.sim.predicates import compile_atom
from proctor.tasks.cbddl import Atom, Span

from ._referent_words import Kind

NEXT_TO_M = 0.10
CLEAR_M = 0.05
BETWEEN = 1.2
BEYOND = 1.5
# Directions in which shapes are felt from above, half a degree apart: things of 10 cm seem nearer by half a millimetre
# at worst.
_ANGLES = np.linspace(0.0, 2 * np.pi, 720, endpoint=False)
_AROUND = np.stack([np.cos(_ANGLES), np.sin(_ANGLES), np.zeros_like(_ANGLES)])


def possible(
    scene: Scene, kind: Kind, candidates: Sequence[str], anchors: Sequence[str], layer: str
) -> tuple[str, ...]:
    """Return the candidates that the relation may mean in the scene as it is now."""
    match kind:
        case "next to":
            return _next_to(scene, candidates, anchors[0])
        case "between":
            return _between(scene, candidates, anchors[0], anchors[1])
        case "on":
            inside = [c for c in candidates if layer and lies_in(scene, c, anchors[0], layer)]
            return tuple(c for c in candidates if c in inside or rests_on(scene, c, anchors[0]))
        case "in":
            return tuple(c for c in candidates if lies_in(scene, c, anchors[0], layer))


def _next_to(scene: Scene, candidates: Sequence[str], anchor: str) -> tuple[str, ...]:
    near = {c: gap(scene, c, anchor) for c in candidates if c != anchor and _beside(scene, c, anchor)}
    nearest = min(near.values(), default=np.inf)
    if nearest > NEXT_TO_M:
        return ()
    return tuple(c for c, away in near.items() if away < nearest + CLEAR_M)


def _beside(scene: Scene, name: str, anchor: str) -> bool:
    """Whether a thing stands at the height of another without standing on or in it."""
    low, high = _heights(scene, name)
    bottom, top = _heights(scene, anchor)
    return low <= top and bottom <= high and not _carried(scene, name, anchor)


def _between(scene: Scene, candidates: Sequence[str], a: str, b: str) -> tuple[str, ...]:
    """Return what may be meant; a candidate that nearly fits only stands beside one that fits."""
    free = [c for c in candidates if not any(_carried(scene, c, x) for x in (a, b))]
    detours = {c: detour(scene, c, a, b) for c in free}
    if min(detours.values(), default=np.inf) > BETWEEN:
        return ()
    return tuple(c for c, ratio in detours.items() if ratio < BEYOND)


def detour(scene: Scene, name: str, a: str, b: str) -> float:
    """Return how long the way from ``a`` to ``b`` through a thing is, as a multiple of the gap between them."""
    straight = gap(scene, a, b)
    if straight <= 0.0:
        return float("inf")
    line = (scene.origin(b) - scene.origin(a)) * (1.0, 1.0, 0.0)
    width = float(_width(scene, name, line / np.linalg.norm(line)))
    return (gap(scene, name, a) + gap(scene, name, b) + width) / straight


def rests_on(scene: Scene, name: str, support: str) -> bool:
    """Whether the predicate ``On`` holds."""
    atom = Atom("On", (name, support), Span("check", 0, 0))
    condition = compile_atom(atom, scene, "corrected").holds
    scene.contacts.sample(scene.data)
    return condition()


def lies_in(scene: Scene, name: str, container: str, layer: str = "") -> bool:
    """Whether the centre of mass lies in a place of ``container`` that holds things: the drawer ``layer``, or any."""
    asset = scene.assets.get(container)
    sites = [site for site in asset.sites if site.kind == "contain"] if asset is not None else []
    wanted = [site for site in sites if not layer or site.name == f"{layer}_region"]
    return any(scene.in_site(scene.com(name), container, site) for site in wanted)


def _carried(scene: Scene, name: str, other: str) -> bool:
    return rests_on(scene, name, other) or lies_in(scene, name, other)


# -- shapes from above -------------------------------------------------------------------------------------------------
def gap(scene: Scene, a: str, b: str) -> float:
    """Return the horizontal distance [m] between the surfaces of two things, 0 where one is over the other.

    For convex shapes it is the largest distance between parallel lines that part them; each geom is convex.
    """
    first, second = (_reach(scene, name, _AROUND) for name in (a, b))
    # The line with normal u touches the first at its farthest point along u, the second at its farthest along -u.
    opposite = np.roll(second, len(_ANGLES) // 2, axis=1)
    apart = (-first[:, None] - opposite[None]).max(axis=2)
    return max(0.0, float(apart.min()))


def _width(scene: Scene, name: str, along: NDArray[np.float64]) -> float:
    ahead, behind = (_reach(scene, name, s * along[:, None]).max() for s in (1.0, -1.0))
    return float(ahead + behind)


def _heights(scene: Scene, name: str) -> tuple[float, float]:
    up = np.array([[0.0], [0.0], [1.0]])
    return -float(_reach(scene, name, -up).max()), float(_reach(scene, name, up).max())


def _reach(scene: Scene, name: str, directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far each colliding geom of a thing reaches along unit ``directions`` [3, n]: its support function."""
    model, data = scene.model, scene.data
    out = []
    for geom in scene.geoms(name).tolist():
        size = model.geom_size[geom]
        local = np.abs(data.geom_xmat[geom].reshape(3, 3).T @ directions)
        match mujoco.mjtGeom(model.geom_type[geom]):
            case mujoco.mjtGeom.mjGEOM_SPHERE:
                reach = np.full(directions.shape[1], size[0])
            case mujoco.mjtGeom.mjGEOM_CAPSULE:
                reach = size[0] + size[1] * local[2]
            case mujoco.mjtGeom.mjGEOM_CYLINDER:
                reach = size[0] * np.hypot(local[0], local[1]) + size[1] * local[2]
            case mujoco.mjtGeom.mjGEOM_ELLIPSOID:
                reach = np.linalg.norm(size[:, None] * local, axis=0)
            case _:
                reach = size @ local
        out.append(data.geom_xpos[geom] @ directions + reach)
    return np.array(out)
