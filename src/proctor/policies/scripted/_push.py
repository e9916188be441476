"""Push: lead an object over the table between the fingers, without lifting it.

The hand comes down around the object, closes until both fingers touch it and stops there: the finger behind pushes, the
one in front keeps what is round from rolling on. It moves along the table in straight lines, at the height of the
grasp, to the first spot that arm and object reach without touching anything; then it opens a little and rises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from proctor.sim import FINGER_SPEED_M, HOME_Q, yaw_matrix

from ._arm import CLOSE, HOLD, Arm, Array, Doing, SkillError
from ._clearance import TIGHT_M, Clearance, Held
from ._pick import MAX_WRIST_RAD, PREGRASP_M, Candidate, Picker, wrist_turn
from ._place import Placer
from ._travel import Path, Traveller

SPEED_M_S = 0.2
ACCELERATION_M_S2 = 0.8
MARGIN_M = 0.010
# Of how many grasps from above the best so many are tried, to each of the first spots.
GRASPS, TRIED, SPOTS = 24, 6, 4
# How far the finger command stays beyond the touch: 6 N a finger, which leads a lemon and lifts nothing.
SQUEEZE_M = 0.0015
TOUCH_N = 0.1
DETOURS_M = (0.06, 0.12)
TURNS_RAD = (0.5, -0.5, 1.0, -1.0, 1.5, -1.5)


class Pusher:
    """Moves objects along the table."""

    def __init__(
        self, arm: Arm, clearance: Clearance, traveller: Traveller, picker: Picker, placer: Placer, *, avoid: bool
    ) -> None:
        self._arm = arm
        self._clearance = clearance
        self._traveller = traveller
        self._picker = picker
        self._placer = placer
        self._avoid = avoid

    def push(self, name: str, spots: Sequence[Array]) -> Doing:
        """Push ``name`` to the first of ``spots`` that can be reached."""
        arm = self._arm
        yield from arm.open_hand()
        try:
            grasp, path, way = self._plan(name, spots)
        except SkillError:
            yield from self._traveller.home()
            grasp, path, way = self._plan(name, spots)
        yield from self._traveller.follow(path)
        yield from arm.move(grasp.position, grasp.rotation, speed=0.22)
        yield from self._close_around(name)
        for position, rotation in way:
            yield from arm.move(position, rotation, speed=SPEED_M_S, acceleration=ACCELERATION_M_S2)
        yield from self._placer.release()

    def _close_around(self, name: str) -> Doing:
        """Close until both fingers touch, then give back what was closed too far."""
        arm = self._arm
        yield from arm.fingers(CLOSE, 14, lambda: min(arm.finger_forces(name)) > TOUCH_N)
        for _ in range(2):
            beyond = arm.finger_m - (arm.measured_finger_m() - SQUEEZE_M)
            arm.grip = float(np.clip(beyond / FINGER_SPEED_M, -1.0, 1.0))
            yield arm.action()
        arm.grip = HOLD

    def _plan(self, name: str, spots: Sequence[Array]) -> tuple[Candidate, Path, Path]:
        """Return a grasp, the way to above it, and the way over the table from it."""
        blocked = f"every grasp of {name} is out of reach or blocked"
        start = self._arm.scene.origin(name)[:2]
        ranked = [grasp for grasp in self._picker.rank(name, GRASPS) if grasp.rotation[2, 2] < -0.95]
        for margin in (MARGIN_M, TIGHT_M):
            for spot in spots[:SPOTS]:
                for grasp in _in_line(ranked, spot[:2] - start)[:TRIED]:
                    way = self._way(name, grasp, spot[:2] - start, margin)
                    if isinstance(way, str):
                        blocked = f"cannot push {name}: {way} is in the way"
                        continue
                    before = grasp.position - PREGRASP_M * grasp.rotation[:, 2]
                    poses = [(before, grasp.rotation), (grasp.position, grasp.rotation)]
                    path = self._traveller.plan(poses, ignore=frozenset({name}), near=self._arm.supports(name))
                    if not isinstance(path, str):
                        return grasp, path, way
                    blocked = f"no grasp of {name} can be approached: {path} is in the way"
        raise SkillError(blocked)

    def _way(self, name: str, grasp: Candidate, by: Array, margin: float) -> Path | str:
        """Return the tool poses after the grasp that push the object by a vector, or what is in the way."""
        scene = self._arm.scene
        turned = grasp.rotation.T
        held = Held(name, turned @ (scene.origin(name) - grasp.position), turned @ scene.rotation(name))
        table = scene.owner(int(scene.geoms(scene.workspace)[0]))
        q, _ = self._clearance.solve(grasp.position, grasp.rotation, HOME_Q)
        blocked = ""
        for way in _ways(grasp, by):
            if not self._avoid:
                return way
            found = self._clearance.path_hit(
                [(grasp.position, grasp.rotation), *way],
                q,
                held=held,
                ignore=frozenset({name, table}),
                margin_m=margin,
            )
            if found is None:
                return way
            blocked = blocked or found
        return blocked


def _in_line(grasps: list[Candidate], along: Array) -> list[Candidate]:
    """Order grasps: first those whose fingers stand one behind the other on the way."""
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    return sorted(grasps, key=lambda grasp: grasp.cost - 0.2 * abs(float(grasp.rotation[:2, 1] @ along)))


def _ways(grasp: Candidate, by: Array) -> Iterator[Path]:
    """Yield ways over the table: straight, straight after a turn on the spot, around either side."""
    length = float(np.linalg.norm(by))
    normal = np.array([-by[1], by[0]]) / max(length, 1e-9)
    end = grasp.position + np.array([*by, 0.0])
    yield [(end, grasp.rotation)]
    for turn in TURNS_RAD:
        turned = yaw_matrix(turn) @ grasp.rotation
        if abs(wrist_turn(turned)) <= MAX_WRIST_RAD:
            yield [(grasp.position, turned), (end, turned)]
    for aside in DETOURS_M:
        for side in (1.0, -1.0):
            via = grasp.position + np.array([*(0.5 * by + side * aside * normal), 0.0])
            yield [(via, grasp.rotation), (end, grasp.rotation)]
