"""A task as a planning problem: what a plan may name, what it starts from, and the plans that are right.

Everything is read from the task's text: goal, sub-goals, plan, faults and ``:init``; the assets of its entities, where
given, add which parts open, can be pressed, or pour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from proctor.assets import Asset
from proctor.core import ProctorError
from proctor.tasks.cbddl import And, Atom, Expr, Not, Once, OnceAfter, Or, Seq, Task, Then
from proctor.tasks.cbddl import Call as TaskCall

from ._call import SkillCall
from ._meaning import KNOWN_PREDICATES, atoms
from ._names import Names
from ._order import reference_of
from ._paper import ORDER_FREE
from ._reference import ReferencePlan
from ._skills import SKILLS
from ._symbolic import Form, SubGoal, SymbolicWorld, entity_of
from ._symmetry import NO_FREE_PLACES, FreePlaces, alike, alternatives, free_places

# A task's conditions and calls in the planner's own terms.


class Terms:
    """The names of a task: a region is a part of what it lies on, and a drawer has one name, that of its joint."""

    def __init__(self, task: Task, assets: Mapping[str, Asset]) -> None:
        self._task = task
        self._sites = {f"{name}/{site.name}" for name, asset in assets.items() for site in asset.sites}
        self.aliases = {alias: name for entity, asset in assets.items() for alias, name in _other_names(entity, asset)}

    def name(self, name: str) -> str:
        region = self._task.region(name)
        full = name if region is None else f"{region.target}/{region.name}"
        return self.aliases.get(full, full)

    def form(self, expr: Expr) -> Form:
        """Return a condition of the task language as nested tuples."""
        match expr:
            case Atom(predicate, args):
                return (predicate, *(self.argument(arg) for arg in args))
            case Not(item) | Once(item):
                return (type(expr).__name__, self.form(item))
            case OnceAfter(item, after):
                return ("OnceAfter", self.form(item), self.form(after))
            case And(items) | Or(items) | Then(items) | Seq(items):
                return (type(expr).__name__, *(self.form(item) for item in items))

    def argument(self, arg: object) -> object:
        """Return an argument of a predicate or call: names as `name` gives them, numbers as they are."""
        if isinstance(arg, tuple):
            return tuple(self.argument(part) for part in arg)
        return self.name(arg) if isinstance(arg, str) else arg

    def plan(self) -> tuple[SkillCall, ...]:
        """Return the calls of the task's own plan, with names for arguments."""
        return tuple(self._call(call) for call in self._task.plan)

    def spelled(self, calls: Sequence[SkillCall]) -> dict[tuple[str, str], str]:
        """Return the world's spelling of names by (skill, name): the plan's own, else ("", name) for regions.

        A drawer is a site to what is put into it and a joint to what opens it.
        """
        found = {("", self.name(region.full_name)): region.full_name for region in self._task.regions}
        for alias, name in self.aliases.items():
            if alias in self._sites:
                found |= {(skill, name): alias for skill in ("place", "insert", "pour", "push")}
        for mine, theirs in zip(calls, self._task.plan, strict=False):
            for value, written in zip(mine.args.values(), theirs.args, strict=False):
                if isinstance(value, str) and isinstance(written, str) and len(theirs.args) == len(mine.args):
                    found[mine.skill, value] = written
        return found

    def _call(self, call: TaskCall) -> SkillCall:
        args = [self.argument(arg) for arg in call.args]
        if call.skill == "place" and len(args) == 2:
            args = [self.name(f"{args[0]}/{args[1]}")]
        return call_of(call.skill, args)


def _other_names(entity: str, asset: Asset) -> Iterator[tuple[str, str]]:
    """Yield the other names of each joint, and of each place that has several.

    A joint is also called by its handle, and by its site where it is one of several (drawers).
    """
    first: dict[object, str] = {}
    for site in asset.sites:
        known = first.setdefault((site.link, site.kind, site.pos, site.half), site.name)
        if known != site.name:
            yield f"{entity}/{site.name}", f"{entity}/{known}"
    for handle in asset.handles:
        yield f"{entity}/{handle.name}", f"{entity}/{handle.joint}"
    joints = [site.opening.joint for site in asset.sites if site.opening is not None]
    for site in asset.sites:
        if site.opening is not None and len(set(joints)) > 1 and joints.count(site.opening.joint) == 1:
            yield f"{entity}/{site.name}", f"{entity}/{site.opening.joint}"


def call_of(skill: str, values: Iterable[object]) -> SkillCall:
    """Return a call from arguments in the order of the skill's roles."""
    roles = SKILLS[skill].roles if skill in SKILLS else ()
    return SkillCall(skill, dict(zip(roles, values, strict=False)))


TABLE = "table"
"""What the table is called that has no number, whatever other tables stand on it."""


class ProblemError(ProctorError):
    """A task that cannot be asked as a planning problem."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A planning problem. ``plan`` is the task's own, with names as arguments; of ``free`` places any will do."""

    task: Task
    plan: tuple[SkillCall, ...]
    names: Names
    references: tuple[ReferencePlan, ...]
    world: SymbolicWorld
    spelled: Mapping[tuple[str, str], str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    free: FreePlaces = NO_FREE_PLACES

    def marked(self, calls: Sequence[SkillCall]) -> tuple[SkillCall, ...]:
        """Return calls with mark numbers in place of the names that have one."""
        return tuple(
            SkillCall(call.skill, {role: self._mark(value) for role, value in call.args.items()}) for call in calls
        )

    def physical(self, skill: str, name: str) -> str:
        """Return what the world calls ``name`` in a call of ``skill``: as the task's own plan does, where it does."""
        name = self.aliases.get(name, name)
        return self.spelled.get((skill, name)) or self.spelled.get(("", name), name)

    def _mark(self, value: object) -> object:
        number = self.names.number(value) if isinstance(value, str) else None
        return value if number is None else number


def problem_of(
    task: Task,
    marks: Mapping[int, str] | None = None,
    assets: Mapping[str, Asset] | None = None,
    *,
    slug: str = "",
) -> Problem:
    """Return the planning problem of a task; ``slug`` is its VLABench name, for the paper's order."""
    terms = Terms(task, assets or {})
    goal = terms.form(task.goal)
    calls = terms.plan() or derived_plan(task, goal)
    subgoals = tuple(SubGoal(s.name, terms.form(s.expr), s.after, s.weight) for s in task.subgoals)
    for atom in _atoms(goal, *(sub.condition for sub in subgoals)):
        if atom[0] not in KNOWN_PREDICATES:
            raise ProblemError(f"{task.file}: {atom[0]} is no condition that a plan can be judged by")
    same = alike(goal)
    parts = _known_names(task, terms, calls, goal, assets or {})
    world = _world(task, terms, calls, goal, subgoals, assets or {})
    meant = _meant(terms, calls, world, assets or {})
    names = Names(marks or {}, _words(task, assets or {}), terms.aliases | same, parts, meant)
    nodes = reference_of(calls, subgoals, names, goal).nodes
    reference = ReferencePlan(nodes, "independent" if slug in ORDER_FREE else "sequential")
    conditions = (goal, *world.faults, *(sub.condition for sub in subgoals))
    return Problem(
        task,
        calls,
        names,
        alternatives(reference, goal, same),
        world,
        terms.spelled(calls),
        terms.aliases,
        free_places(reference, conditions, goal, parts),
    )


def derived_plan(task: Task, goal: Form) -> tuple[SkillCall, ...]:
    """Return a plan for a goal of On, In, Open and Close, for tasks without a plan of their own."""
    wanted = list(goal[1:]) if goal[0] == "And" else [goal]
    opens, moves, closes = [], [], []
    for atom in wanted:
        assert isinstance(atom, tuple)
        if atom[0] in ("On", "In"):
            moves += [call_of("pick", [atom[1]]), call_of("place", [atom[2]])]
        elif atom[0] == "Open":
            opens.append(call_of("open", [atom[1]]))
        elif atom[0] == "Close":
            closes.append(call_of("close", [atom[1]]))
        else:
            raise ProblemError(f"{task.file}: the task has no (:plan ...) and none follows from {atom[0]}")
    return (*opens, *moves, *closes)


def _atoms(*forms: Form) -> Iterator[Form]:
    for form in forms:
        yield from atoms(form)


def _words(task: Task, assets: Mapping[str, Asset]) -> dict[str, str]:
    """Return the words that fit one entity only: its nouns, category and looks."""
    owners: dict[str, set[str]] = {}
    for entity in (*task.fixtures, *task.objects):
        look = task.look(entity.name)
        words = {entity.category.replace("_", " ")}
        if look is not None:
            words |= {value.replace("_", " ") for _, value in look.look}
        if (asset := assets.get(entity.name)) is not None:
            words |= set(asset.nouns)
        for word in words:
            owners.setdefault(word, set()).add(entity.name)
    fitting = {word: next(iter(found)) for word, found in owners.items() if len(found) == 1}
    tables = [entity.name for entity in task.fixtures if entity.category == TABLE]
    return fitting | {TABLE: tables[0]} if len(tables) == 1 else fitting


def _known_names(
    task: Task, terms: Terms, calls: Iterable[SkillCall], goal: Form, assets: Mapping[str, Asset]
) -> list[str]:
    names = [entity.name for entity in (*task.fixtures, *task.objects)]
    names += [terms.name(region.full_name) for region in task.regions]
    names += [str(value) for call in calls for role, value in call.args.items() if role != "seconds"]
    names += [part for name, asset in assets.items() for part in parts_of(name, asset)]
    names += [*terms.aliases]
    told = [arg for atom in atoms(goal) for arg in atom[1:] if isinstance(arg, str)]
    entities = set(names)
    names += [arg for arg in told if entity_of(arg) in entities]
    return list(dict.fromkeys(names))


def parts_of(name: str, asset: Asset) -> list[str]:
    """Return the parts of an entity that a plan may name: what opens, buttons, and the sites of fixtures."""
    parts = [handle.name for handle in asset.handles] + [button.name for button in asset.buttons]
    parts += [site.name for site in asset.sites] if asset.kind == "fixture" else []
    return list(dict.fromkeys(f"{name}/{part}" for part in parts))


def _world(
    task: Task,
    terms: Terms,
    calls: Sequence[SkillCall],
    goal: Form,
    subgoals: Sequence[SubGoal],
    assets: Mapping[str, Asset],
) -> SymbolicWorld:
    joints = _joints(calls, goal, subgoals, assets)
    buttons = {f"{name}/{b.name}" for name, asset in assets.items() for b in asset.buttons}
    buttons |= {str(value) for call in calls if call.skill == "press" for value in call.args.values()}
    vessels = {name for name, asset in assets.items() if asset.spout is not None}
    holes = {f"{name}/{s.name}" for name, asset in assets.items() for s in asset.sites if s.kind == "hole"}
    holes |= {entity_of(hole) for hole in holes}
    holes |= {str(value) for call in calls if call.skill == "insert" for value in call.args.values()}
    world = SymbolicWorld(
        goal=goal,
        objects=tuple(entity.name for entity in task.objects),
        where={str(a.args[0]): terms.name(str(a.args[1])) for a in task.init if a.predicate in ("On", "In")},
        joints=joints,
        gates=_gates(assets, joints),
        buttons=frozenset(buttons) if assets else None,
        vessels=frozenset(vessels) if vessels else None,
        holes=frozenset(holes) if assets else None,
        faults=tuple(terms.form(fault) for fault in task.faults),
        subgoals=tuple(subgoals),
    )
    opened = {terms.name(str(atom.args[0])) for atom in task.init if atom.predicate == "Open"}
    opened |= _shut_first(calls)
    return replace(world, open_joints=frozenset(world.gate(name) or name for name in opened))


def _meant(
    terms: Terms, calls: Sequence[SkillCall], world: SymbolicWorld, assets: Mapping[str, Asset]
) -> dict[tuple[str, str], str]:
    """Return what (skill, thing) means where a thing and a part of it are the same to the skill.

    A fridge is opened by its one door, and a tube that goes back into its stand goes into any hole of it. Which name
    stands for both is as the task's own plan has it.
    """
    buttons = {f"{name}/{button.name}" for name, asset in assets.items() for button in asset.buttons}
    holes = {f"{name}/{site.name}" for name, asset in assets.items() for site in asset.sites if site.kind == "hole"}
    joints = {joint for joint in world.joints if "/" in joint}
    insides = {terms.name(hole) for hole in holes}
    parts = {"press": buttons, "insert": insides, "open": joints, "close": joints, "hammer": joints}
    meant: dict[tuple[str, str], str] = {}
    for skill, known in parts.items():
        said = {str(value) for call in calls if call.skill == skill for value in call.args.values()}
        times = Counter(entity_of(part) for part in known)
        wholes = bool(said & times.keys())
        for part in known - said:
            if entity_of(part) in said or (wholes and times[entity_of(part)] == 1):
                meant[skill, part] = entity_of(part)
        if not wholes:
            meant |= {(skill, entity_of(part)): part for part in known if times[entity_of(part)] == 1}
    return meant


def _joints(
    calls: Sequence[SkillCall], goal: Form, subgoals: Sequence[SubGoal], assets: Mapping[str, Asset]
) -> frozenset[str]:
    """Return what opens, shuts or is driven in: what calls and conditions name so, and what has a handle."""
    told = {str(value) for call in calls if call.skill in ("open", "close", "hammer") for value in call.args.values()}
    conditions = _atoms(goal, *(sub.condition for sub in subgoals))
    told |= {str(atom[1]) for atom in conditions if atom[0] in ("Joint", "Open", "Close")}
    told |= {f"{name}/{handle.joint}" for name, asset in assets.items() for handle in asset.handles}
    # An entity stands for its only joint, so it is no further joint beside a part of it.
    return frozenset(name for name in told if not any(other.startswith(name + "/") for other in told))


def _shut_first(calls: Sequence[SkillCall]) -> set[str]:
    """Return what the plan closes before it opens it: such a thing is open at the start."""
    first: dict[str, str] = {}
    for call in calls:
        if call.skill in ("open", "close"):
            for value in call.args.values():
                first.setdefault(str(value), call.skill)
    return {name for name, skill in first.items() if skill == "close"}


def _gates(assets: Mapping[str, Asset], joints: frozenset[str]) -> dict[str, str | None]:
    return {
        f"{name}/{site.name}": f"{name}/{site.opening.joint}"
        for name, asset in assets.items()
        for site in asset.sites
        if site.opening is not None and f"{name}/{site.opening.joint}" in joints
    }
