"""From a task's goal to a sequence of skills.

Conjunctions and ``Then`` are done in the order written, what already holds is passed over; of an ``Or`` the first
branch is done; ``Not`` of a placement is done by taking the object away to the table. Goals for which there is no
skill (contacts, distances) are refused with a `SkillError`. What the goal says must not be ``Lifted`` is pushed over
the table, everything else is picked up.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

import mujoco
import numpy as np

from proctor.assets import Handle, Site
from proctor.sim import Scene
from proctor.tasks.cbddl import And, Atom, Expr, Not, Or, Then, atoms_of

from ._arm import Array, BlockedError, Doing, SkillError, SlippedError
from ._clearance import REACH
from ._drawer import BELOW_M, DrawerHand
from ._hands import Hands
from ._knob import KnobHand
from ._pick import LIFT_M
from ._place import Pusher
from ._spots import (
    AWAY,
    CROWDED_GAP_M,
    SPOTS,
    TABLE_GAP_M,
    foot_radius,
    long_axis,
    spots_in_site,
    spots_on_table,
    spots_on_top,
)

TRIES = 2


class Script:
    """Plays the skills that a task's goal asks for."""

    def __init__(self, hands: Hands) -> None:
        self._arm, self._picker, self._placer = hands.arm, hands.picker, hands.placer
        clearance, traveller = hands.clearance, hands.traveller
        self._clearance, self._traveller, self._avoid = clearance, traveller, hands.avoid
        self._pusher = Pusher(self._arm, clearance, traveller, self._picker, self._placer, avoid=hands.avoid)
        self._drawers = DrawerHand(self._arm, clearance, traveller)
        self._knobs = KnobHand(self._arm, traveller)
        self._stays_down: frozenset[str] = frozenset()

    @property
    def scene(self) -> Scene:
        return self._arm.scene

    def play(self, goal: Expr | None = None) -> Doing:
        """Yield the actions that reach ``goal``, the task's own if none is given."""
        goal = goal or self.scene.task.goal
        self._stays_down = frozenset(_not_lifted(goal))
        for step in self._in_order(goal):
            if isinstance(step, Not):
                yield from self._undo(step)
            elif not self._arm.env.monitor.goal_atom_holds(step):
                yield from self._achieve(step)

    def _in_order(self, goal: Expr) -> list[Atom | Not]:
        """Return the steps of a goal; where the order is open, a place that must be cleared first comes later.

        Drawers are shut last: what goes into them, or comes out, needs them open.
        """
        steps = list(_steps(goal))
        if not isinstance(goal, And) or not all(isinstance(item, Atom) for item in goal.items):
            return steps
        moved = {str(step.args[0]) for step in steps if isinstance(step, Atom) and len(step.args) == 2}
        carried = {name: self._arm.supports(name) for name in moved if name in self.scene.movable}

        def taken(step: Atom | Not) -> bool:
            if not isinstance(step, Atom) or len(step.args) != 2:
                return False
            place = self.scene.place(str(step.args[1])).entity
            return place in self.scene.movable and any(
                place in below for name, below in carried.items() if name != step.args[0]
            )

        return sorted(steps, key=lambda step: (isinstance(step, Atom) and step.predicate == "Close", taken(step)))

    def _achieve(self, atom: Atom) -> Doing:
        match atom.predicate:
            case "On" | "In" | "Stack":
                try:
                    yield from self._bring(atom)
                except SkillError as error:
                    if not self._avoid:
                        raise
                    yield from self._bring_otherwise(atom, error)
            case "Open":
                fixture, handle, site = self._drawer(str(atom.args[0]))
                assert site.opening is not None
                yield from self._drawers.open(fixture, handle, site.opening.open_above)
            case "Close":
                fixture, handle, site = self._drawer(str(atom.args[0]))
                assert site.opening is not None
                yield from self._drawers.close(fixture, handle, site.opening.closed_below)
            case "TurnOn" | "TurnOff":
                fixture, handle, site = self._drawer(str(atom.args[0]))
                assert site.opening is not None
                yield from self._knobs.turn(fixture, handle, site.opening, on=atom.predicate == "TurnOn")
            case other:
                raise SkillError(f"no skill for the goal {other}")

    def _bring(self, atom: Atom) -> Doing:
        """Put something where a goal wants it; what rolled off again is picked up again."""
        name, where = str(atom.args[0]), str(atom.args[1])
        if self._avoid:
            yield from self._shut_drawers(self._in_the_way(name, where))
        yield from self._make_way(name, where)
        for _ in range(TRIES):
            try:
                yield from self._put(name, where, atom.predicate)
            except BlockedError as error:
                yield from self._clear(name, error)
                yield from self._put(name, where, atom.predicate)
            if (yield from self._comes_true(atom)):
                return
        if self._avoid:
            raise SkillError(f"{name} was let go, and not {atom.predicate} {where} after all")

    def _bring_otherwise(self, atom: Atom, error: SkillError) -> Doing:
        """What could not be done at once: with more care, and with every drawer shut that nothing needs.

        What slips does so in whatever grasp an open drawer leaves room for, so there the drawers come first.
        """
        name, where = str(atom.args[0]), str(atom.args[1])
        for shut in (True,) if isinstance(error, SlippedError) else (False, True):
            yield from self._let_go(name)
            yield from self._traveller.home()
            if shut and not (yield from self._shut_drawers()) and not isinstance(error, SlippedError):
                break
            self._clearance.may_stretch = True
            try:
                yield from self._make_way(name, where)
                yield from self._put(name, where, atom.predicate, careful=True)
            except SkillError:
                continue
            finally:
                self._clearance.may_stretch = False
            if (yield from self._comes_true(atom)):
                return
        if not isinstance(error, BlockedError) or error.by != REACH:
            raise error
        yield from self._let_go(name)
        yield from self._traveller.home()
        yield from self._put(name, where, atom.predicate, lean=True)
        if not (yield from self._comes_true(atom)):
            raise error

    def _let_go(self, name: str) -> Doing:
        """Put down what is still held: somewhere on the table, or else where it was taken from."""
        if min(self._arm.finger_forces(name)) == 0.0:
            return
        try:
            spots = spots_on_table(self.scene, name, AWAY)
            yield from self._placer.place(name, self.scene.workspace, spots)
        except SkillError:
            yield from self._arm.shift(np.array([0.0, 0.0, -LIFT_M]), speed=0.15)
            yield from self._placer.release()

    def _shut_drawers(self, these: Callable[[str, Handle], bool] = lambda *_: True) -> Generator[Array, None, bool]:
        """Shut the open drawers that hold nothing the task speaks of, or some of these; say whether there were any."""
        scene, task = self.scene, self.scene.task
        wanted = {str(arg) for atom in atoms_of(task.goal) for arg in atom.args}
        kept = {str(arg) for expr in task.cost for atom in atoms_of(expr) for arg in atom.args}
        kept |= {str(atom.args[0]) for atom in atoms_of(task.goal) if atom.predicate == "Open"}
        things = [thing for thing in scene.movable if thing in wanted]
        shut = False
        for fixture in scene.fixed:
            for site in scene.assets[fixture].sites:
                opening = site.opening
                handle = next((h for h in scene.assets[fixture].handles if opening and h.joint == opening.joint), None)
                if opening is None or handle is None or {fixture, f"{fixture}_{site.name}"} & kept:
                    continue
                if scene.joint(fixture, handle.joint) < opening.open_above / 2 or any(
                    self._lies_in(thing, fixture, site) for thing in things
                ):
                    continue
                if not these(fixture, handle):
                    continue
                try:
                    yield from self._drawers.close(fixture, handle, opening.closed_below)
                    shut = True
                except SkillError:
                    yield from self._traveller.home()
        return shut

    def _in_the_way(self, name: str, where: str) -> Callable[[str, Handle], bool]:
        """Return whether a drawer that the goal does not name hangs over what is taken, or over where that goes."""
        scene, place = self.scene, self.scene.place(where)
        named = {str(arg).replace("/", "_") for atom in atoms_of(scene.task.goal) for arg in atom.args}
        points = [scene.origin(thing) for thing in (name, place.entity) if thing in scene.movable]
        joint = place.site.opening.joint if place.site is not None and place.site.opening is not None else None

        def hangs(fixture: str, handle: Handle) -> bool:
            asset = scene.assets[fixture]
            own = {
                f"{fixture}_{site.name}" for site in asset.sites if site.opening and site.opening.joint == handle.joint
            }
            if own & named or scene.model.joint(f"{fixture}/{handle.joint}").type[0] != mujoco.mjtJoint.mjJNT_SLIDE:
                return False
            lower = [h for h in asset.handles if fixture == place.entity and h.joint == joint]
            height = self._drawers.bar(fixture, handle)[0][2] - BELOW_M
            return any(self._drawers.bar(fixture, h)[0][2] < height for h in lower) or any(
                self._drawers.above(fixture, handle, point) for point in points
            )

        return hangs

    def _lies_in(self, name: str, fixture: str, site: Site) -> bool:
        centre, frame = self.scene.site_frame(fixture, site)
        return bool(np.all(np.abs(frame.T @ (self.scene.com(name) - centre)) <= np.asarray(site.half) + 0.02))

    def _make_way(self, name: str, where: str) -> Doing:
        """Open the drawer that something has to go into; what stands where the drawer will be is moved aside first."""
        site = self.scene.place(where).site
        if site is None or site.opening is None:
            return
        fixture, handle, _ = self._drawer(where)
        if self.scene.joint(fixture, handle.joint) < site.opening.open_above:
            below = self._drawers.sweep(fixture, handle, self.scene.assets[name].radius_m)
            if below(self.scene.origin(name)):
                yield from self._take_away(name, lambda spot: not below(spot))
            yield from self._drawers.open(fixture, handle, site.opening.open_above)

    def _clear(self, held: str, error: BlockedError) -> Doing:
        """Put down what is held and take away what is in its way, unless the task says anything about that thing."""
        task = self.scene.task
        named = {str(arg) for expr in (task.goal, *task.cost) for atom in atoms_of(expr) for arg in atom.args}
        if error.by not in self.scene.movable or error.by in named or error.by in self.scene.moving:
            raise error
        yield from self._placer.place(held, self.scene.workspace, spots_on_table(self.scene, held, AWAY))
        yield from self._take_away(error.by)

    def _comes_true(self, atom: Atom) -> Generator[Array, None, bool]:
        """Wait up to half a second for things to come to rest, and say whether the goal is reached."""
        for _ in range(10):
            if self._arm.env.monitor.goal_atom_holds(atom):
                return True
            yield self._arm.action()
        return False

    def _undo(self, negation: Not) -> Doing:
        atom = negation.item
        if isinstance(atom, Atom) and atom.predicate == "Lifted":
            return
        if not isinstance(atom, Atom) or atom.predicate not in ("On", "In", "Stack"):
            raise SkillError("no skill for this negated goal")
        if not self._arm.env.monitor.goal_atom_holds(atom):
            return
        yield from self._take_away(str(atom.args[0]))

    def _put(self, name: str, where: str, relation: str, *, careful: bool = False, lean: bool = False) -> Doing:
        if name in self._stays_down:
            yield from self._pusher.push(name, self._spots(name, where, relation)[1])
            return
        yield from self._picker.pick(name, narrow=careful, careful=careful)
        support, spots, along = self._spots(name, where, relation)
        if along is not None:
            along = along - long_axis(self.scene, name) if self.scene.assets[name].elongated else None
        yield from self._placer.place(name, support, spots, along=along, lean=lean)

    def _spots(self, name: str, where: str, relation: str) -> tuple[str, list[Array], float | None]:
        place = self.scene.place(where)
        if place.region is not None and place.site is None and place.region.ranges:
            return place.entity, spots_on_table(self.scene, name, place.region.ranges[0]), None
        if place.entity == self.scene.workspace:
            return place.entity, spots_on_table(self.scene, name, AWAY), None
        asset = self.scene.assets[place.entity]
        kind = "contain" if relation == "In" else "place"
        site = place.site or next((s for s in asset.sites if s.kind == kind), None)
        if site is None or self._too_wide(name, place.entity, site):
            return place.entity, spots_on_top(self.scene, place.entity), None
        spots, along = spots_in_site(self.scene, name, place.entity, site)
        return place.entity, spots, along

    def _too_wide(self, name: str, support: str, site: Site) -> bool:
        """Whether something rests on the rim of a vessel instead of going in."""
        return support in self.scene.movable and foot_radius(self.scene, name) > min(site.half[:2])

    def _take_away(self, name: str, good: Callable[[Array], bool] = lambda _: True) -> Doing:
        """Put ``name`` on a free, good spot of the table that the arm reaches; of a crowded one, nearer to others."""
        yield from self._picker.pick(name)
        free = [spots_on_table(self.scene, name, AWAY, limit=None, gap_m=gap) for gap in (TABLE_GAP_M, CROWDED_GAP_M)]
        fit = [[spot for spot in spots if good(spot)][:SPOTS] for spots in free]
        first, *other = [spots for spots in fit if spots] or [free[0][:1]]
        try:
            yield from self._placer.place(name, self.scene.workspace, first)
        except BlockedError:
            if not other or not self._avoid:
                raise
            yield from self._placer.place(name, self.scene.workspace, other[0])

    def _drawer(self, where: str) -> tuple[str, Handle, Site]:
        place = self.scene.place(where)
        asset = self.scene.assets[place.entity]
        site = place.site or asset.site("switch")
        for handle in asset.handles:
            if site is not None and site.opening is not None and handle.joint == site.opening.joint:
                return place.entity, handle, site
        raise SkillError(f"{where} has no handle")


def _steps(goal: Expr) -> Iterator[Atom | Not]:
    match goal:
        case Atom() | Not():
            yield goal
        case And(items) | Then(items):
            for item in items:
                yield from _steps(item)
        case Or(items):
            yield from _steps(items[0])


def _not_lifted(goal: Expr) -> Iterator[str]:
    """Yield what must be moved without being lifted."""
    for step in _steps(goal):
        if isinstance(step, Not) and isinstance(step.item, Atom) and step.item.predicate == "Lifted":
            yield str(step.item.args[0])
