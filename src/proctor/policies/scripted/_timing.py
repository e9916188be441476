"""The right moment: when to move among things that move by themselves.

What moves follows its own clock, so the question is not where to go but when. The script is rehearsed once in a second
simulation in which movers are air; this gives the posture of the arm, and the pose of what it moves, at every control
step. A schedule then lets the real run pause wherever the hand comes to rest between two motions, so that no posture
meets a mover at the time at which it is taken, and no pause is made where one will pass. The search is over (motion,
time), earliest first; it is asked again at every pause with the time that it really is.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.sim import POSITION_SCALE_M, ROTATION_SCALE_RAD, DistanceProbe, SimEnv

from ._arm import OPEN, Array, Doing, SkillError

# Distance to keep from a mover [m], and by how many control steps it may be early or late; then, if need be, tighter.
CARE = ((0.020, 2), (0.010, 1))
# The hand is at rest below this much motion in a control step [m, with 0.1 m for a radian].
REST_M = 0.002
# Things that are further than this from where they were are in the hand's care.
MOVED_M = 0.002
IDLE_STEPS = 15


@dataclass(frozen=True, slots=True)
class Take:
    """A rehearsal: frames of the geoms in question after each control step, and the steps at which motions begin."""

    geoms: NDArray[np.intp]
    positions: Array
    frames: Array
    moved_from: int
    robot: int
    starts: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.positions)


def departs(last: Array | None, action: Array) -> bool:
    """Whether a motion begins: the hand was at rest and is no longer."""
    return (last is None or _motion(last) <= REST_M) and _motion(action) > REST_M


def _motion(action: Array) -> float:
    move, turn = action[:3] * POSITION_SCALE_M, action[3:6] * ROTATION_SCALE_RAD
    return float(np.linalg.norm(move) + 0.1 * np.linalg.norm(turn))


def rehearse(env: SimEnv, actions: Doing, steps: int) -> Take:
    """Play ``actions`` in ``env``, which stands at the same state and is nobody else's; its movers become air."""
    scene = env.scene
    for name in scene.moving:
        scene.model.geom_contype[scene.geoms(name)] = scene.model.geom_conaffinity[scene.geoms(name)] = 0
    things = [name for name in scene.movable if name not in scene.moving]
    robot = scene.geoms("robot")
    geoms = np.concatenate([robot, *(scene.geoms(name) for name in things)])
    origins = np.array([scene.origin(name) for name in things])
    positions, frames = [scene.data.geom_xpos[geoms]], [scene.data.geom_xmat[geoms]]
    moved: dict[str, int] = {}
    starts: list[int] = []
    last: Array | None = None
    idle = 0
    while len(positions) <= steps and not env.monitor.success and idle < IDLE_STEPS:
        try:
            action = next(actions)
        except (StopIteration, SkillError):
            action, idle = np.array([0.0] * 6 + [OPEN]), idle + 1
        if departs(last, action):
            starts.append(len(positions) - 1)
        env.step(action)
        positions.append(scene.data.geom_xpos[geoms])
        frames.append(scene.data.geom_xmat[geoms])
        for name, origin in zip(things, origins, strict=True):
            if name not in moved and np.linalg.norm(scene.origin(name) - origin) > MOVED_M:
                moved[name] = len(positions) - 1
        last = action
    cared = [len(robot), *(len(scene.geoms(name)) for name in things)]
    keep = np.concatenate([np.full(n, i == 0 or things[i - 1] in moved) for i, n in enumerate(cared)])
    return Take(
        geoms=geoms[keep],
        positions=np.array(positions)[:, keep],
        frames=np.array(frames)[:, keep],
        moved_from=min(moved.values(), default=len(positions)),
        robot=len(robot),
        starts=tuple(starts),
    )


class Schedule:
    """When each motion of a take may begin. Times are control steps since the schedule was made."""

    def __init__(self, env: SimEnv, take: Take, steps: int) -> None:
        self._take = take
        self._steps = steps
        self._ends = (*take.starts[1:], len(take) - 1)
        scene = env.scene
        self._data = mujoco.MjData(scene.model)
        self._names = sorted(scene.moving)
        self._geoms = [scene.geoms(name) for name in self._names]
        margin = CARE[0][0]
        self._alone = [DistanceProbe(scene.model, take.geoms[: take.robot], g, margin) for g in self._geoms]
        self._laden = [DistanceProbe(scene.model, take.geoms, g, margin) for g in self._geoms]
        self._traffic = [self._path(env, name) for name in self._names]
        self._gap: dict[tuple[int, int], float] = {}

    def _path(self, env: SimEnv, name: str) -> tuple[Array, Array]:
        """Return the frames of a mover's geoms over the whole episode."""
        scene, geoms = env.scene, env.scene.geoms(name)
        positions, frames = [], []
        for time in range(self._steps + IDLE_STEPS):
            self._data.joint(f"{name}/free").qpos[:] = env.movers.forecast(name, time)
            mujoco.mj_kinematics(scene.model, self._data)
            positions.append(self._data.geom_xpos[geoms])
            frames.append(self._data.geom_xmat[geoms])
        return np.array(positions), np.array(frames)

    def wait(self, motion: int, now: int) -> int:
        """Return how many steps to pause before a motion, so that it and all that follow have a free way."""
        if motion >= len(self._take.starts):
            return 0
        for margin, slack in CARE:
            pause = self._pause(motion, now, margin, slack, set())
            if pause is not None:
                return pause
        raise SkillError(f"no free moment: {' or '.join(self._names)} is in the way")

    def _pause(self, motion: int, now: int, margin: float, slack: int, dead: set[tuple[int, int]]) -> int | None:
        if motion == len(self._take.starts):
            return 0
        first, last = self._take.starts[motion], self._ends[motion]
        for begin in range(now, self._steps - (last - first)):
            if not self._free(first, begin, margin, slack):
                break
            if (motion, begin) in dead:
                continue
            way = (self._free(k, begin + k - first, margin, slack) for k in range(first, last + 1))
            if all(way) and self._pause(motion + 1, begin + last - first, margin, slack, dead) is not None:
                return begin - now
            dead.add((motion, begin))
        return None

    def _free(self, k: int, time: int, margin: float, slack: int) -> bool:
        """Whether the posture after ``k`` steps keeps its distance from movers around a time."""
        return all(self._distance(k, max(time + late, 0)) >= margin for late in {-slack, 0, slack})

    def _distance(self, k: int, time: int) -> float:
        """Return the distance from arm and things in its care to the nearest mover, up to the largest margin."""
        if (k, time) not in self._gap:
            take, data = self._take, self._data
            data.geom_xpos[take.geoms], data.geom_xmat[take.geoms] = take.positions[k], take.frames[k]
            gap = CARE[0][0]
            probes = self._laden if k >= take.moved_from else self._alone
            for geoms, (positions, frames), probe in zip(self._geoms, self._traffic, probes, strict=True):
                at = min(time, len(positions) - 1)
                data.geom_xpos[geoms], data.geom_xmat[geoms] = positions[at], frames[at]
                gap = min(gap, probe(data))
            self._gap[k, time] = gap
        return self._gap[k, time]


def paced(actions: Doing, schedule: Schedule, env: SimEnv) -> Doing:
    """Yield the actions of the real run, with pauses before motions as the schedule asks."""
    last: Array | None = None
    motion, began = 0, env.monitor.step
    for action in actions:
        if departs(last, action):
            still = np.array([0.0] * 6 + [action[6]])
            for _ in range(schedule.wait(motion, env.monitor.step - began)):
                yield still
            motion += 1
        yield action
        last = action
