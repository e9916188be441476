"""Whether, in one layout, each noun phrase of an instruction means one thing, and the goal is about these.

What ``next to``, ``between``, ``on`` and ``in`` mean, and which candidates they leave: gaps are horizontal, from
surface to surface. A relation must leave no doubt: a candidate that nearly fits counts as a possible meaning, and a
phrase with two possible meanings is ambiguous.

- *next to X*: stands neither on nor in X, as high as part of X, at most `NEXT_TO_M` away. Meant is the nearest; another
  is possible too unless it is `CLEAR_M` farther away, and so at least half as far again.
- *between A and B*: stands neither on nor in either, and the way from A to B through it is hardly a detour: the gaps to
  A and to B and its own width add up to at most `BETWEEN` times the gap from A to B. Below `BEYOND` times, possible.
- *on X*, *at the top of X*: the predicate ``On``. *in X*, *in the top layer of X*: the centre of mass lies where X
  holds things, or in that drawer. *on the top layer of X* may be either, and must be one thing under both readings.
- *left of X*, *right of X*, *behind X*, *in front of X*: seen by the robot, the middle lies farther to that side
  than that of X by `ASIDE_M`; what is as far as X to within as much is possible too.
"""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.sim import Scene
from proctor.sim.predicates import compile_atom
from proctor.tasks.cbddl import Atom, Span, atoms_of
from proctor.tasks.words import IT, Kind, Mention, NounPhrase

_PLACED = ("On", "In", "Stack")
NEXT_TO_M = 0.10
CLEAR_M = 0.05
BETWEEN = 1.2
BEYOND = 1.5
# Directions in which shapes are felt from above, half a degree apart: things of 10 cm seem nearer by half a millimetre
# at worst.
_ANGLES = np.linspace(0.0, 2 * np.pi, 720, endpoint=False)
_AROUND = np.stack([np.cos(_ANGLES), np.sin(_ANGLES), np.zeros_like(_ANGLES)])
ASIDE_M = 0.01
# Direction of a relation: axis of the world and sign. +x leads away from the robot, +y to its left.
_ASIDE: dict[Kind, tuple[int, float]] = {
    "left of": (1, 1.0),
    "right of": (1, -1.0),
    "behind": (0, 1.0),
    "in front of": (0, -1.0),
}


def meanings(scene: Scene, phrases: list[NounPhrase]) -> dict[str, tuple[str, ...]] | str:
    """Return what each phrase means in the scene as it is now, or why one of them does not mean exactly one thing.

    A plural means all that fit.
    """
    found: dict[str, tuple[str, ...]] = {}
    it: tuple[str, ...] = ()
    for phrase in phrases:
        left = phrase.head.entities
        if phrase.relation is not None:
            anchors = [anchor.entities if isinstance(anchor, Mention) else it for anchor in phrase.relation.anchors]
            for anchor, named in zip(phrase.relation.anchors, anchors, strict=True):
                if len(named) != 1:
                    return f"{anchor.name if isinstance(anchor, Mention) else IT!r} may be {_either(named)}"
            left = possible(scene, phrase.relation.kind, left, [one for (one,) in anchors], phrase.relation.layer)
        if len(left) != 1 and not (left and phrase.head.many):
            return f"{phrase.text!r} may be {_either(left)}"
        found[phrase.text] = left
        it = left if phrase.picked else it
    return found


def in_words(found: dict[str, tuple[str, ...]]) -> str:
    """Return what each phrase means, as one line."""
    return ", ".join(f"{phrase}={'+'.join(names)}" for phrase, names in found.items())


def goal_trouble(scene: Scene, found: dict[str, tuple[str, ...]]) -> str:
    """Return what the goal moves, or where to, although no phrase means it; empty if there is none."""
    meant = {name for names in found.values() for name in names}
    for atom in atoms_of(scene.task.goal):
        if atom.predicate not in _PLACED:
            continue
        name, place = str(atom.args[0]), scene.place(str(atom.args[1])).entity
        if name not in meant:
            return f"the goal moves {name}, which the instruction does not name"
        if place not in meant | {scene.workspace}:
            return f"the goal takes {name} to {place}, which the instruction does not name"
    return ""


def _either(names: tuple[str, ...]) -> str:
    return " or ".join(names) or "nothing"


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
        case _:
            return _aside(scene, kind, candidates, anchors[0])


def _aside(scene: Scene, kind: Kind, candidates: Sequence[str], anchor: str) -> tuple[str, ...]:
    axis, sign = _ASIDE[kind]
    offset = {c: sign * float(scene.origin(c)[axis] - scene.origin(anchor)[axis]) for c in candidates if c != anchor}
    if max(offset.values(), default=0.0) <= ASIDE_M:
        return ()
    return tuple(c for c, away in offset.items() if away > -ASIDE_M)


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
