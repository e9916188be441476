"""What is watched in every control step: conditions that last, touches, tools, buttons, welds.

Predicates ask these; each is built once per scene and thing.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import mujoco
import numpy as np

from proctor.assets import Site, Stem, links
from proctor.core import Event
from proctor.tasks.cbddl import Task, atoms_of

from ._contacts import Condition, GeomIds, Graded
from ._control import CONTROL_DT
from ._errors import SceneError
from ._rotation import Array, quat_wxyz
from ._shapes import DistanceProbe

if TYPE_CHECKING:
    from ._scene import Scene


LastingState: TypeAlias = tuple[tuple[int, ...], tuple[tuple[float, ...], ...]]


def steps_of(seconds: float) -> int:
    """Return how many control steps a time is; at least one."""
    return max(1, round(seconds / CONTROL_DT))


class Lasting:
    """Counts, per condition, the control steps since it was last false; keeps the last values of measured things.

    Conditions are looked at in the order in which they were added, so one that is made of others comes after them.
    """

    def __init__(self) -> None:
        self._conditions: list[Condition] = []
        self._counts: list[int] = []
        self._values: list[Callable[[], float]] = []
        self._windows: list[deque[float]] = []

    def lasts(self, condition: Condition, seconds: float) -> Condition:
        """Return a condition: ``condition`` has been true for ``seconds``."""
        self._conditions.append(condition)
        self._counts.append(0)
        slot, needed = len(self._conditions) - 1, steps_of(seconds)
        return lambda: self._counts[slot] >= needed

    def mean(self, value: Callable[[], float], seconds: float) -> Callable[[], float | None]:
        """Return a reader of the mean of ``value`` over the last ``seconds``; None before so much time has passed."""
        needed = steps_of(seconds)
        self._values.append(value)
        self._windows.append(deque(maxlen=needed))
        slot = len(self._values) - 1

        def read() -> float | None:
            window = self._windows[slot]
            return sum(window) / needed if len(window) == needed else None

        return read

    def begin(self) -> None:
        """Start an episode: nothing has lasted yet."""
        self._counts = [0] * len(self._conditions)
        for window in self._windows:
            window.clear()

    def update(self) -> None:
        """Look at the control step that has just ended."""
        for slot, condition in enumerate(self._conditions):
            self._counts[slot] = self._counts[slot] + 1 if condition() else 0
        for value, window in zip(self._values, self._windows, strict=True):
            window.append(value())

    def state(self) -> LastingState:
        """Return a copy of the memory, for exact restore."""
        return tuple(self._counts), tuple(tuple(window) for window in self._windows)

    def restore(self, state: LastingState) -> None:
        """Restore what `state` returned; what was added since then starts anew."""
        counts, windows = state
        self._counts = [*counts, *[0] * (len(self._conditions) - len(counts))]
        for slot, window in enumerate(self._windows):
            window.clear()
            window.extend(windows[slot] if slot < len(windows) else ())


# Conditions with memory: nearness within a control step, touches since settling.


class NearWatch:
    """How near pairs of geom sets came to each other at the looks of a control step."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._probes: list[DistanceProbe] = []
        self._last: list[float] = []
        self._least: list[float] = []

    def within(self, a: GeomIds, b: GeomIds, distance_m: float) -> Graded:
        """Return a condition: ``a`` came within ``distance_m`` of ``b`` in this control step; graded by how far in."""
        slot = self._slot(a, b, distance_m)
        return Graded(lambda: self._least[slot] <= distance_m, lambda: max(distance_m - self._least[slot], 0.0), "m")

    def now(self, a: GeomIds, b: GeomIds, distance_m: float) -> Graded:
        """Return a condition: ``a`` is within ``distance_m`` of ``b`` at the end of the control step."""
        slot = self._slot(a, b, distance_m)
        return Graded(lambda: self._last[slot] <= distance_m, lambda: max(distance_m - self._last[slot], 0.0), "m")

    def _slot(self, a: GeomIds, b: GeomIds, distance_m: float) -> int:
        # The probe's limit lies above the threshold, or "far away" and "at the threshold" would look alike.
        self._probes.append(DistanceProbe(self._model, a, b, distance_m + 1e-3))
        self._last.append(np.inf)
        self._least.append(np.inf)
        return len(self._probes) - 1

    def begin_step(self) -> None:
        """Forget the previous control step."""
        self._least = [np.inf] * len(self._probes)

    def sample(self, data: mujoco.MjData) -> None:
        self._last = [probe(data) for probe in self._probes]
        self._least = list(map(min, self._least, self._last))

    def state(self) -> tuple[list[float], list[float]]:
        """Return a copy of the memory, for exact restore."""
        return list(self._last), list(self._least)

    def restore(self, state: tuple[list[float], list[float]]) -> None:
        self._last, self._least = list(state[0]), list(state[1])


class TouchMemory:
    """What has touched what since settling, beyond what it touched at rest."""

    def __init__(self) -> None:
        self._watched: list[Mapping[str, Condition]] = []
        self._at_rest: list[frozenset[str]] = []
        self._collided: list[bool] = []

    def ever(self, touches: Mapping[str, Condition]) -> Condition:
        """Return a condition: one of ``touches`` that was false after settling has been true since."""
        self._watched.append(touches)
        self._at_rest.append(frozenset())
        self._collided.append(False)
        slot = len(self._watched) - 1
        return lambda: self._collided[slot]

    def begin(self) -> None:
        """Take the current touches as those at rest."""
        self._at_rest = [frozenset(n for n, touch in w.items() if touch()) for w in self._watched]
        self._collided = [False] * len(self._watched)

    def update(self) -> None:
        """Look at the touches of the control step that has just ended."""
        for slot, touches in enumerate(self._watched):
            if not self._collided[slot]:
                self._collided[slot] = any(touch() for n, touch in touches.items() if n not in self._at_rest[slot])

    def state(self) -> tuple[list[frozenset[str]], list[bool]]:
        """Return a copy of the memory, for exact restore."""
        return list(self._at_rest), list(self._collided)

    def restore(self, state: tuple[list[frozenset[str]], list[bool]]) -> None:
        self._at_rest, self._collided = list(state[0]), list(state[1])


# What was moved with what: a nail by the hammer and not by a finger, a ball by the cue.
#
# Looked at once per control step, with the contacts of all its physics substeps.

FAST_M_S = 0.05
"""What moves faster than this has been set in motion."""
ToolState: TypeAlias = tuple[tuple[tuple[float, float, float], ...], tuple[tuple[bool, bool, bool | None], ...]]


@dataclass(slots=True)
class _Driven:
    value: Callable[[], float]
    by_tool: Condition
    by_finger: Condition
    last: float = 0.0
    total: float = 0.0
    driven: float = 0.0


@dataclass(slots=True)
class _Struck:
    speed: Callable[[], float]
    by: Condition
    by_robot: Condition
    touched: bool = False
    handled: bool = False
    verdict: bool | None = None


class ToolWatch:
    """Travel and blows of the watched things; ``begin`` after settling, ``update`` after every control step."""

    def __init__(self) -> None:
        self._driven: list[_Driven] = []
        self._struck: list[_Struck] = []

    def driven(self, value: Callable[[], float], by_tool: Condition, by_finger: Condition) -> Callable[[], float]:
        """Return a reader: the share of the way of ``value`` that it went while ``by_tool`` and not ``by_finger``."""
        item = _Driven(value, by_tool, by_finger)
        self._driven.append(item)
        return lambda: item.driven / item.total if item.total > 0.0 else 0.0

    def struck(self, speed: Callable[[], float], by: Condition, by_robot: Condition) -> Condition:
        """Return a condition: ``by`` touched it, and the robot did not, when it was first set in motion."""
        item = _Struck(speed, by, by_robot)
        self._struck.append(item)
        return lambda: item.verdict is True

    def begin(self) -> None:
        """Start an episode: nothing has moved."""
        for item in self._driven:
            item.last, item.total, item.driven = item.value(), 0.0, 0.0
        for blow in self._struck:
            blow.touched, blow.handled, blow.verdict = False, False, None

    def update(self) -> None:
        """Look at the control step that has just ended."""
        for item in self._driven:
            now = item.value()
            way, item.last = abs(now - item.last), now
            item.total += way
            if item.by_tool() and not item.by_finger():
                item.driven += way
        for blow in self._struck:
            by, robot = blow.by(), blow.by_robot()
            if blow.verdict is None and blow.speed() > FAST_M_S:
                # The blow may have ended the step before the speed is seen.
                blow.verdict = (by or blow.touched) and not (robot or blow.handled)
            blow.touched, blow.handled = by, robot

    def state(self) -> ToolState:
        """Return a copy of the memory, for exact restore."""
        ways = tuple((item.last, item.total, item.driven) for item in self._driven)
        return ways, tuple((blow.touched, blow.handled, blow.verdict) for blow in self._struck)

    def restore(self, state: ToolState) -> None:
        for item, (last, total, driven) in zip(self._driven, state[0], strict=True):
            item.last, item.total, item.driven = last, total, driven
        for blow, (touched, handled, verdict) in zip(self._struck, state[1], strict=True):
            blow.touched, blow.handled, blow.verdict = touched, handled, verdict


# Things that become one when one is pushed into the other: welds that close by themselves.
#
# For each pair that ``Attached`` names the model has a weld that is open at the start. It closes, as the two then
# are, once the stem of one lies in a hole of the other: 80 % of its depth, within 10 degrees. Looked at once per
# control step.

DEPTH_SHARE = 0.8
_COSINE = math.cos(math.radians(10.0))
WeldState: TypeAlias = tuple[tuple[Array, ...], tuple[bool, ...]]


def welded_pairs(task: Task) -> tuple[tuple[str, str], ...]:
    """Return the pairs that the task's ``Attached`` name, in the order of the file."""
    exprs = (task.goal, *(subgoal.expr for subgoal in task.subgoals), *task.faults)
    pairs = [atom.args[:2] for expr in exprs for atom in atoms_of(expr) if atom.predicate == "Attached"]
    return tuple(dict.fromkeys((str(a), str(b)) for a, b in pairs))


def add_welds(spec: mujoco.MjSpec, task: Task) -> None:
    """Add an open weld for each pair to a model under construction."""
    for a, b in welded_pairs(task):
        weld = spec.add_equality(
            name=f"{a}+{b}", type=mujoco.mjtEq.mjEQ_WELD, objtype=mujoco.mjtObj.mjOBJ_BODY, active=False
        )
        weld.name1, weld.name2 = a, b
        weld.solref, weld.solimp = (0.004, 1.0), (0.95, 0.99, 0.001, 0.5, 2.0)


class WeldWatch:
    """The welds of a scene; ``begin`` after settling, ``update`` after every control step."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._pairs = welded_pairs(scene.task)
        self._ids = [scene.model.equality(f"{a}+{b}").id for a, b in self._pairs]
        self._mates = [_mates(scene, a, b) for a, b in self._pairs]

    def closed(self, a: str, b: str) -> Condition:
        """Return a condition: the weld between ``a`` and ``b`` holds."""
        pair = next((p for p in self._pairs if set(p) == {a, b}), None)
        if pair is None:
            raise SceneError(f"{a!r} and {b!r} cannot become one here: name them with Attached in the task")
        weld = self._ids[self._pairs.index(pair)]
        return lambda: bool(self._scene.data.eq_active[weld])

    def closed_pairs(self) -> list[tuple[str, str]]:
        active = self._scene.data.eq_active
        return [pair for weld, pair in zip(self._ids, self._pairs, strict=True) if active[weld]]

    def begin(self) -> None:
        for weld in self._ids:
            self._scene.data.eq_active[weld] = 0

    def update(self) -> None:
        """Close the welds of what has been pushed together."""
        for weld, (outer, inner, stem, holes), (a, b) in zip(self._ids, self._mates, self._pairs, strict=True):
            if not self._scene.data.eq_active[weld] and any(self._mated(outer, inner, stem, hole) for hole in holes):
                self._close(weld, a, b)

    def _mated(self, outer: str, inner: str, stem: Stem, hole: Site) -> bool:
        scene = self._scene
        position, rotation = scene.site_frame(outer, hole)
        tip = rotation.T @ (scene.origin(inner) + scene.rotation(inner) @ stem.tip - position)
        along = rotation.T @ (scene.rotation(inner) @ stem.direction)
        deep = float(hole.half[2] - tip[2]) / (2 * hole.half[2]) >= DEPTH_SHARE
        return deep and bool(-along[2] >= _COSINE and np.all(np.abs(tip[:2]) <= hole.half[:2]))

    def _close(self, weld: int, a: str, b: str) -> None:
        scene = self._scene
        to_a = scene.rotation(a).T
        # A weld's data: anchor in the second body (here its origin), then the second body's pose in the first's frame.
        data = scene.model.eq_data[weld]
        data[:3] = 0.0
        data[3:6] = to_a @ (scene.origin(b) - scene.origin(a))
        data[6:10] = quat_wxyz(to_a @ scene.rotation(b))
        scene.data.eq_active[weld] = 1

    def state(self) -> WeldState:
        """Return a copy of how and which welds hold, for exact restore."""
        model, data = self._scene.model, self._scene.data
        return tuple(model.eq_data[i].copy() for i in self._ids), tuple(bool(data.eq_active[i]) for i in self._ids)

    def restore(self, state: WeldState) -> None:
        for weld, how, active in zip(self._ids, *state, strict=True):
            self._scene.model.eq_data[weld] = how
            self._scene.data.eq_active[weld] = int(active)


def _mates(scene: Scene, a: str, b: str) -> tuple[str, str, Stem, tuple[Site, ...]]:
    """Return which of two things takes the other, the other's stem, and the holes that it may go into."""
    for outer, inner in ((a, b), (b, a)):
        stem = scene.assets[inner].stem
        holes = tuple(site for site in scene.assets[outer].sites if site.kind == "hole")
        if stem is not None and holes:
            return outer, inner, stem, holes
    raise SceneError(f"{a!r} and {b!r} do not fit together: one needs a stem, the other a hole")


# Which buttons are pressed, and when each first was.
#
# A button is pressed once it has been in by 70 % of its travel for 0.1 s while the robot touched it: the position
# controller pushes a soft limit beyond its range (vlabench spec, section 0.4), so it is the share of travel that
# counts.

TRAVEL_SHARE = 0.7
PRESS_S = 0.1
ButtonState: TypeAlias = tuple[tuple[int, ...], tuple[int | None, ...]]


@dataclass(frozen=True, slots=True)
class _Pressable:
    name: str
    qpos: int
    rest: float
    travel: float
    touched: Condition


class ButtonWatch:
    """The buttons of a scene; ``begin`` after settling, ``update`` after every control step."""

    def __init__(self, scene: Scene) -> None:
        self._data = scene.data
        self._buttons = [
            _pressable(scene, f"{entity}/{button.name}")
            for entity, asset in scene.assets.items()
            for button in asset.buttons
        ]
        self.names = tuple(button.name for button in self._buttons)
        self.begin()

    def begin(self) -> None:
        """Start an episode: nothing has been pressed."""
        self._counts = [0] * len(self._buttons)
        self._first: list[int | None] = [None] * len(self._buttons)

    def update(self, step: int, time_s: float) -> list[Event]:
        """Look at all buttons; return an event for each that is pressed since now."""
        events = []
        needed = steps_of(PRESS_S)
        for i, button in enumerate(self._buttons):
            self._counts[i] = self._counts[i] + 1 if self.share(i) >= TRAVEL_SHARE and button.touched() else 0
            if self._counts[i] == needed:
                events.append(Event(step, time_s, "press", button.name))
                if self._first[i] is None:
                    self._first[i] = step
        return events

    def share(self, index: int) -> float:
        """How far in a button is, as a share of its travel."""
        button = self._buttons[index]
        return abs(float(self._data.qpos[button.qpos]) - button.rest) / button.travel

    def pressing(self, name: str) -> Condition:
        """Return a condition: the button is pressed at the end of this control step."""
        index, needed = self.names.index(name), steps_of(PRESS_S)
        return lambda: self._counts[index] >= needed

    def began(self, name: str) -> Condition:
        """Return a condition: the button has become pressed with this control step."""
        index, needed = self.names.index(name), steps_of(PRESS_S)
        return lambda: self._counts[index] == needed

    def first(self, name: str) -> Callable[[], int | None]:
        """Return a reader of the control step at which the button was first pressed; None if it never was."""
        index = self.names.index(name)
        return lambda: self._first[index]

    def first_of(self) -> dict[str, int]:
        """Return the buttons that have been pressed, each with the control step at which it first was."""
        return {name: step for name, step in zip(self.names, self._first, strict=True) if step is not None}

    def state(self) -> ButtonState:
        """Return a copy of the memory, for exact restore."""
        return tuple(self._counts), tuple(self._first)

    def restore(self, state: ButtonState) -> None:
        self._counts, self._first = list(state[0]), list(state[1])


def _pressable(scene: Scene, name: str) -> _Pressable:
    place = scene.place(name)
    assert place.button is not None
    root = scene.assets[place.entity].root
    joint = next(link.joint for link in links(root) if link.joint and link.joint.name == place.button.joint)
    low, high = joint.range
    return _Pressable(
        name,
        int(scene.model.joint(f"{place.entity}/{joint.name}").qposadr[0]),
        float(np.clip(joint.rest, low, high)),
        high - low,
        scene.contacts.now(np.array(sorted(scene.robot_geoms), np.intp), scene.geoms(name)),
    )
