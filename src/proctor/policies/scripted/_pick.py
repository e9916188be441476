"""Pick: choose a grasp (of what has rolled, as it lies now), approach, close, lift, check that it holds."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from proctor.assets import Grasp
from proctor.sim import BASE_POS, FINGER_OPEN_M, HOME_Q, TABLE_Z, Scene, matrix

from ._arm import (
    CLOSE,
    HANDLE,
    HOLD,
    NARROW_M,
    Arm,
    Array,
    Doing,
    SkillError,
    SlippedError,
    by_the_handle,
    contents_in,
    pace_for,
    unhurried,
)
from ._clearance import PITCHED, TIGHT_M, Clearance, Held
from ._spots import Pillar, middle_of, pillars
from ._travel import Path, Traveller

# Grasps of something round that does not lie as it was annotated: from above, through its middle, as it lies now.

TIPPED_RAD = 0.5
"""From here on the annotated grasps no longer come from above."""
YAWS = 12
MAX_WIDTH_M = 2 * FINGER_OPEN_M - 0.006
# Costs more the wider it is, and more than any annotated grasp that can still be reached.
COST, COST_PER_M = 0.5, 2.0


def tumbled(scene: Scene, name: str) -> tuple[Grasp, ...]:
    """Return grasps in the object frame for something that rolls and has rolled; nothing for what stands upright."""
    rotation = scene.rotation(name)
    if not scene.assets[name].rolls or rotation[2, 2] > math.cos(TIPPED_RAD):
        return ()
    origin = scene.origin(name)
    low, high = zip(*(_extent(scene, name, axis) for axis in np.eye(3)), strict=True)
    middle = rotation.T @ ((np.array(low) + np.array(high)) / 2 - origin)
    found = []
    for yaw in np.arange(YAWS) * math.pi / YAWS:
        closing = np.array([math.cos(yaw), math.sin(yaw), 0.0])
        near, far = _extent(scene, name, closing)
        if far - near < MAX_WIDTH_M:
            found.append(
                Grasp(
                    _vec(middle),
                    _vec(rotation.T @ closing),
                    _vec(rotation.T @ np.array([0.0, 0.0, -1.0])),
                    COST + COST_PER_M * (far - near),
                    far - near,
                )
            )
    return tuple(found)


def _extent(scene: Scene, name: str, direction: Array) -> tuple[float, float]:
    """Return from where to where something reaches along a direction of the world."""
    solid, origin = scene.solid(name), scene.origin(name)
    # The shape tells how low and how high it reaches: asked with the direction as its up.
    turned = np.stack([direction, direction, direction]) @ scene.rotation(name)
    up = np.array([0.0, 0.0, float(origin @ direction)])
    return solid.lowest(up, turned), solid.highest(up, turned)


def _vec(values: Array) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z


PREGRASP_M = 0.08
LIFT_M = 0.05
# Lowest point of a fingertip below the tool point, and how close to the table it may come.
TIP_BELOW_M = 0.0092
TIP_GAP_M = 0.001
MAX_WRIST_RAD = 2.0
UP = np.array([0.0, 0.0, 1.0])
# How high the hand must be able to rise from where it grasped.
RISE_M = 0.12
# Middle of a finger beyond its pad, and half its thickness.
_FINGER = (0.008, 0.012)
# How far the hand leans about the closing axis where it cannot come straight down: beside a wall, under an edge.
LEANS_RAD = (0.35, -0.35, 0.65, -0.65)
LEAN_COST = 0.5
# How far it tips across the closing axis where even that leaves no room, and how much higher it grasps per sine.
TIPS_RAD = (0.2, -0.2, 0.35, -0.35, 0.5, -0.5)
TIP_RISE_M = 0.03
# What is slower than this lies still; how long to wait for it.
REST_M_S, REST_RAD_S, REST_STEPS = 0.02, 0.3, 40
# Room beside each pad of a hand that comes half open, where neighbours leave none for an open one.
NARROW_ROOM_M, NARROW_COST = 0.012, 0.02


@dataclass(frozen=True, slots=True)
class Candidate:
    """A grasp in the world: tool position and rotation."""

    cost: float
    position: Array
    rotation: Array
    width_m: float
    part: str = "body"
    finger_m: float = FINGER_OPEN_M


def wrist_turn(rotation: Array) -> float:
    """Return how far the wrist is turned from home, where the fingers close along world -y."""
    return math.atan2(rotation[0, 1], -rotation[1, 1])


class Picker:
    """Grasps objects by their annotated grasps."""

    def __init__(self, arm: Arm, clearance: Clearance, traveller: Traveller, *, avoid: bool) -> None:
        self._arm = arm
        self._clearance = clearance
        self._traveller = traveller
        self._avoid = avoid

    def pick(self, name: str, tries: int = 3, out: Array = UP, *, narrow: bool = False, careful: bool = False) -> Doing:
        """Grasp ``name`` and take it off, along ``out`` by default up; a later try takes the next best grasp.

        With ``narrow`` the hand may come half open, where neighbours leave no room for an open one. With ``careful``
        grasps from which the lift would touch something come last.
        """
        arm = self._arm
        for attempt in range(tries):
            yield from arm.open_hand()
            yield from self._at_rest(name)
            try:
                grasp, path = self._plan(name, attempt, narrow, careful)
            except SkillError:
                yield from self._traveller.home()
                grasp, path = self._plan_at_any_cost(name, attempt, narrow, careful)
            if grasp.finger_m < FINGER_OPEN_M:
                yield from self._half_close(grasp.finger_m)
            yield from self._traveller.follow(path)
            if self._avoid and grasp.part != HANDLE and contents_in(arm.scene, name):
                yield from self._half_close(NARROW_M)
            yield from arm.move(grasp.position, grasp.rotation, speed=0.22)
            yield from arm.close_hand()
            arm.pace = pace_for(arm.scene, name, avoid=self._avoid)
            lift = LIFT_M if self._avoid else 0.03
            yield from arm.move(grasp.position + lift * out, grasp.rotation, speed=0.25, settle=0)
            if self.holds(name):
                return
            arm.pace = unhurried
            yield from arm.open_hand()
            yield from arm.shift(np.array([0, 0, 0.08]))
            yield from arm.wait(6)
        raise SlippedError(f"{name} slipped from every grasp")

    def _at_rest(self, name: str) -> Doing:
        """Wait for something that still rolls, or rises with a pan, until it lies; not for what moves by itself."""
        scene = self._arm.scene
        velocity = scene.data.joint(f"{name}/free").qvel
        for _ in range(0 if name in scene.moving else REST_STEPS):
            if np.linalg.norm(velocity[:3]) < REST_M_S and np.linalg.norm(velocity[3:]) < REST_RAD_S:
                return
            yield self._arm.action()

    def _half_close(self, finger_m: float) -> Doing:
        arm = self._arm
        yield from arm.fingers(CLOSE, 8, lambda: arm.finger_m <= finger_m)
        arm.grip = HOLD

    def _plan_at_any_cost(self, name: str, attempt: int, narrow: bool, careful: bool) -> tuple[Candidate, Path]:
        """As `_plan`; where the distances that the task wants kept leave no way at all, without them."""
        try:
            return self._plan(name, attempt, narrow, careful)
        except SkillError:
            if not self._clearance.caution.asks:
                raise
        with self._clearance.caution.waived():
            return self._plan(name, attempt, narrow, careful)

    def _plan(self, name: str, attempt: int, narrow: bool, careful: bool = False) -> tuple[Candidate, Path]:
        """Return the best grasp that can be approached, leaving out the ones that were tried, and the way to it."""
        candidates = self.rank(name, narrow=narrow, tipped=careful)
        if not candidates:
            raise SkillError(f"every grasp of {name} is out of reach or blocked")
        blocked = ""
        second: tuple[Candidate, Path] | None = None
        for grasp in (*candidates[attempt:], *candidates[:attempt]):
            before = grasp.position - PREGRASP_M * grasp.rotation[:, 2]
            poses = [(before, grasp.rotation), (grasp.position, grasp.rotation)]
            near = self._arm.supports(name)
            finger = grasp.finger_m if grasp.finger_m < FINGER_OPEN_M else None
            path = self._traveller.plan(poses, ignore=frozenset({name}), near=near, finger_m=finger)
            refused = path if isinstance(path, str) else self.refuses(name, grasp)
            if refused is None and not isinstance(path, str):
                if not careful or self.lift_hit(name, grasp) is None:
                    return grasp, path
                second = second or (grasp, path)
            blocked = refused or blocked
        if second is not None:
            return second
        raise SkillError(f"no grasp of {name} can be approached: {blocked} is in the way")

    def refuses(self, name: str, grasp: Candidate) -> str | None:
        """Return why a grasp that can be approached is not taken after all, here never: None."""
        return None

    def lift_hit(self, name: str, grasp: Candidate) -> str | None:
        """Return what the lift from a grasp would touch; what the object stands on or in may be touched."""
        scene, inverse = self._arm.scene, grasp.rotation.T
        lying = Held(name, inverse @ (scene.origin(name) - grasp.position), inverse @ scene.rotation(name))
        q, _ = self._clearance.solve(grasp.position, grasp.rotation, HOME_Q)
        return self._clearance.path_hit(
            [(grasp.position, grasp.rotation), (grasp.position + LIFT_M * UP, grasp.rotation)],
            q,
            held=lying,
            ignore=self._arm.supports(name) | {scene.workspace, "table"},
            margin_m=TIGHT_M,
            finger_m=grasp.width_m / 2,
        )

    def holds(self, name: str) -> bool:
        """Whether both fingers press on the object and it has left its support."""
        return min(self._arm.finger_forces(name)) > 1.0 and self._arm.force(name, self._arm.scene.workspace) == 0.0

    def rank(self, name: str, keep: int = 6, *, narrow: bool = False, tipped: bool = False) -> list[Candidate]:
        """Return the best reachable grasps, best first; the dear checks run lazily in order of preference.

        With ``tipped`` the hand may also come with one finger lower than the other, as beside a high wall.
        """
        scene = self._arm.scene
        origin, rotation = scene.origin(name), scene.rotation(name)
        ignore, near = frozenset({name}), self._arm.supports(name)
        obstacles = pillars(scene, ignore) if self._avoid else []
        upright = [
            candidate
            for grasp in self._grasps(name)
            for finger in _openings(grasp, narrow)
            for candidate in _in_world(grasp, origin, rotation, obstacles, finger)
        ]
        leaning = [_leaned(option, angle) for angle in LEANS_RAD for option in upright] if self._avoid else []
        askew = [_tipped(option, angle) for angle in TIPS_RAD for option in upright] if tipped else []
        ways = ((upright, 0.008), (upright, TIGHT_M), (leaning, 0.008), (leaning, TIGHT_M))
        for options, margin in (*ways, (askew, 0.008), (askew, TIGHT_M)):
            options.sort(key=lambda candidate: candidate.cost)
            good: list[Candidate] = []
            stuck: list[Candidate] = []
            for option in options:
                if len(good) >= keep:
                    break
                if self._feasible(option, ignore, near, margin):
                    (good if self._rises(option) else stuck).append(option)
            if good or stuck:
                return [*good, *stuck][:keep]
        return []

    def _rises(self, option: Candidate) -> bool:
        """Whether the hand glides up from a grasp: close to the base a pitched one may have no way on."""
        if not self._avoid or option.rotation[2, 2] < PITCHED:
            return True
        q, _ = self._clearance.solve(option.position, option.rotation, HOME_Q)
        way = [(option.position + z * UP, option.rotation) for z in (0.0, RISE_M)]
        everything = frozenset((*self._arm.scene.assets, self._arm.scene.workspace))
        return self._clearance.path_hit(way, q, held=None, ignore=everything, glide=True) is None

    def _grasps(self, name: str) -> tuple[Grasp, ...]:
        """Return an object's grasps; without avoidance, something long is taken by its middle, whatever is there."""
        scene = self._arm.scene
        asset = scene.assets[name]
        if self._avoid and contents_in(scene, name):
            return by_the_handle(asset.grasps)
        if self._avoid or not asset.elongated:
            return (*asset.grasps, *tumbled(scene, name))
        x, y, _ = scene.rotation(name).T @ (middle_of(scene, name) - scene.origin(name))
        middle = [replace(grasp, position=(float(x), float(y), grasp.position[2])) for grasp in asset.grasps]
        return (*middle, *(replace(grasp, cost=grasp.cost + 1.0) for grasp in asset.grasps))

    def _feasible(self, option: Candidate, ignore: frozenset[str], near: frozenset[str], margin: float) -> bool:
        q, error = self._clearance.solve(option.position, option.rotation, HOME_Q)
        if error > 2e-3:
            return False
        before = option.position - PREGRASP_M * option.rotation[:, 2]
        q_before, error = self._clearance.solve(before, option.rotation, q)
        if error > 4e-3:
            return False
        if not self._avoid:
            return True
        postures = [(q, option.finger_m), (q_before, option.finger_m)]
        if self._clearance.caution.asks:
            postures.append((q, option.width_m / 2))
        # A hand at a handle must not touch what is heaped over the rim; a finger over the rim cannot but dip into it.
        heap = option.part == HANDLE
        return all(
            self._clearance.hit(p, ignore=ignore, near=near, margin_m=margin, finger_m=finger, particles=heap) is None
            for p, finger in postures
        )


def _in_world(
    grasp: Grasp, origin: Array, rotation: Array, obstacles: list[Pillar], finger_m: float = FINGER_OPEN_M
) -> list[Candidate]:
    approach = rotation @ np.asarray(grasp.approach)
    if approach[2] > -0.2:
        return []
    position = origin + rotation @ np.asarray(grasp.position)
    position[2] = max(position[2], TABLE_Z + TIP_BELOW_M + TIP_GAP_M)
    found = []
    for side in (1.0, -1.0):
        closing = side * (rotation @ np.asarray(grasp.closing))
        closing -= approach * (closing @ approach)
        closing /= np.linalg.norm(closing)
        frame = np.stack([np.cross(closing, approach), closing, approach], axis=1)
        turn = abs(wrist_turn(frame))
        if turn > MAX_WRIST_RAD:
            continue
        far = max(0.0, float(np.linalg.norm(position[:2] - np.asarray(BASE_POS[:2]))) - 0.75)
        near = max(0.0, 0.012 - _room(position, frame, obstacles, finger_m))
        cost = grasp.cost + 0.08 * turn + 0.3 * far + 20.0 * near + (NARROW_COST if finger_m < FINGER_OPEN_M else 0.0)
        found.append(Candidate(cost, position, frame, grasp.width_m, grasp.part, finger_m))
    return found


def _leaned(option: Candidate, angle: float) -> Candidate:
    """The same grasp with the hand tipped about the closing axis."""
    frame = matrix(option.rotation[:, 1] * angle) @ option.rotation
    return replace(option, cost=option.cost + LEAN_COST * abs(angle), rotation=frame)


def _tipped(option: Candidate, angle: float) -> Candidate:
    """The same grasp with one finger lower than the other, raised so that the lower one has its room."""
    frame = matrix(option.rotation[:, 0] * angle) @ option.rotation
    raised = option.position + TIP_RISE_M * math.sin(abs(angle)) * UP
    return replace(option, cost=option.cost + LEAN_COST * abs(angle), position=raised, rotation=frame)


def _openings(grasp: Grasp, narrow: bool) -> tuple[float, ...]:
    """Return how far open per finger the hand may come: fully, and if asked no further than it must."""
    half = grasp.width_m / 2 + NARROW_ROOM_M
    return (FINGER_OPEN_M, half) if narrow and half < FINGER_OPEN_M - 0.005 else (FINGER_OPEN_M,)


def _room(position: Array, frame: Array, obstacles: list[Pillar], finger_m: float) -> float:
    """Rough room around the fingers, palm and flange: distance to the nearest obstacle that reaches that high."""
    closing, approach = frame[:, 1], frame[:, 2]
    beyond, thick = _FINGER
    spread = finger_m + beyond
    points = [(position + s * spread * closing, thick) for s in (-1, 1)]
    points += [(position - 0.06 * approach + s * 0.07 * closing, 0.035) for s in (-1, 0, 1)]
    points.append((position - 0.15 * approach, 0.06))
    room = 1.0
    for pillar in obstacles:
        for point, radius in points:
            if point[2] - 0.012 < pillar.top:
                room = min(room, float(np.linalg.norm(point[:2] - pillar.xy)) - pillar.radius - radius)
    return room
