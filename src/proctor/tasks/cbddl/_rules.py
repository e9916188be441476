"""The linter of task files: every rule (declarations, placement, goal), and what the rules look up."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from proctor.tasks.cbddl._diagnostics import Problems, shown
from proctor.tasks.cbddl._expressions import atoms_of
from proctor.tasks.cbddl._model import And, Argument, Atom, Entity, Expr, Rect, Region, Span, Task
from proctor.tasks.cbddl._predicates import ROBOT_NAMES


@dataclass(frozen=True, slots=True)
class KnownCategory:
    """A category for which an asset exists: whether it has a contain site, its nouns, its inner radius.

    ``inner_m`` is the radius of the largest circle about its origin that lies in its footprint; 0: not known.
    """

    contains: bool = False
    nouns: tuple[str, ...] = ()
    inner_m: float = 0.0


Known: TypeAlias = Mapping[str, KnownCategory]


# What the rules look up, collected once so that linting stays linear in the size of the file.

# Nothing real is stacked higher; the limit keeps long chains from costing quadratic time.
MAX_STACK = 64


def is_workspace(entity: Entity) -> bool:
    """Whether an entity is the table or floor that everything stands on; it is not placed itself."""
    if entity.kind != "fixture" or entity.category == "billiard_table":
        return False
    return entity.category.endswith(("table", "floor"))


class Index:
    """A task by name."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.entities: dict[str, Entity] = {}
        for entity in (*task.fixtures, *task.objects):
            self.entities.setdefault(entity.name, entity)
        # The last region of a name wins, as in ``Task.region``.
        self.regions: dict[str, Region] = {region.full_name: region for region in task.regions}
        self.sites: dict[str, list[Region]] = {}
        for region in task.regions:
            if not region.ranges:
                self.sites.setdefault(region.target, []).append(region)
        self.goal_atoms = list(atoms_of(task.goal))
        self.cost_atoms = [atom for expr in task.cost for atom in atoms_of(expr)]
        self.atoms: list[Atom] = [*task.init, *self.goal_atoms, *self.cost_atoms, *step_atoms(task)]
        self.used = used_names(task)
        self.placed: dict[str, Atom] = {}
        for atom in task.init:
            if atom.predicate in ("On", "In"):
                self.placed.setdefault(str(atom.args[0]), atom)

    def entity(self, argument: object) -> Entity | None:
        return self.entities.get(argument) if isinstance(argument, str) else None

    def supports(self, name: str) -> list[str]:
        """Return what ``name`` rests on, and what that rests on, down to a region or a repetition."""
        chain: list[str] = []
        while name in self.placed and len(chain) < MAX_STACK:
            name = str(self.placed[name].args[1])
            if name in chain:
                break
            chain.append(name)
        return chain


def step_atoms(task: Task) -> list[Atom]:
    """Return the predicates of ``:subgoals`` and ``:faults``."""
    exprs = (*(subgoal.expr for subgoal in task.subgoals), *task.faults)
    return [atom for expr in exprs for atom in atoms_of(expr)]


def used_names(task: Task) -> set[str]:
    """Return every name that a block after the declarations refers to."""
    atoms = [*task.init, *(atom for expr in (task.goal, *task.cost) for atom in atoms_of(expr)), *step_atoms(task)]
    names = {arg for atom in atoms for arg in atom.args if isinstance(arg, str)}
    names.update(str(name) for atom in atoms for arg in atom.args if isinstance(arg, tuple) for name in arg)
    names.update(arg for call in task.plan for arg in call.args if isinstance(arg, str))
    return names | set(task.obj_of_interest) | set(task.intent)


# Rules about what a file declares: names, categories, regions, objects of interest.

# The problem classes that the reference registers.
_TABLES = (
    "tabletop",
    "wooden_tabletop",
    "metal_tabletop",
    "kitchen_tabletop",
    "living_room_tabletop",
    "study_tabletop",
)
_SCENES = (*_TABLES, "coffee_table", "floor", "marble_floor")
_LIBERO = ("tabletop", "kitchen_tabletop", "living_room_tabletop", "study_tabletop", "coffee_table", "floor")
PROBLEM_CLASSES = (
    *(f"{scene}_manipulation" for scene in _SCENES),
    *(f"libero_{scene}_manipulation" for scene in _LIBERO),
)


def check_header(index: Index, problems: Problems) -> None:
    """Report problem classes and domains that the reference would refuse."""
    task = index.task
    if task.problem and task.problem.lower() not in PROBLEM_CLASSES:
        hint = problems.suggest(task.problem, PROBLEM_CLASSES, "use Tabletop_Manipulation or Floor_Manipulation")
        problems.add("unknown-problem", task.spans["problem"], f"unknown problem class {shown(task.problem)}; {hint}")
    if task.domain and task.domain.lower() != "robosuite":
        problems.add("unknown-domain", task.spans[":domain"], f"unknown domain {shown(task.domain)}; write robosuite")


def check_names(index: Index, problems: Problems) -> None:
    """Report entities that are declared twice or named like the robot, and objects with two motions."""
    first: dict[str, Span] = {}
    for entity in (*index.task.fixtures, *index.task.objects):
        if entity.name in first:
            line = first[entity.name].line
            message = f"{shown(entity.name)} is already declared in line {line}; rename or remove one"
            problems.add("duplicate-entity", entity.span, message)
        if entity.name in ROBOT_NAMES:
            problems.add(
                "reserved-name", entity.span, f"{shown(entity.name)} stands for the robot; choose another name"
            )
        first.setdefault(entity.name, entity.span)
    moving: set[str] = set()
    for mover in index.task.movers:
        if mover.name in moving:
            problems.add("duplicate-mover", mover.span, f"{shown(mover.name)} already has a motion; remove one")
        moving.add(mover.name)


def check_categories(index: Index, problems: Problems, known: Known | None) -> None:
    """Report categories without an asset, where the caller knows which there are."""
    if known is None:
        return
    reported: set[str] = set()
    for entity in (*index.task.fixtures, *index.task.objects):
        if entity.category in known or entity.category in reported or is_workspace(entity):
            continue
        reported.add(entity.category)
        hint = problems.suggest(entity.category, known, "'proctor assets sheet' shows what there is")
        message = f"there is no asset for category {shown(entity.category)}; {hint}"
        problems.add("unknown-category", entity.category_span or entity.span, message)


def check_regions(index: Index, problems: Problems) -> None:
    """Report regions with the same full name, on something undeclared, or that nothing refers to."""
    entities = index.entities
    first: dict[str, int] = {}
    for region in index.task.regions:
        name = region.full_name
        if name in first:
            message = f"region {shown(name)} is already defined in line {first[name]} and the last one wins; rename one"
            problems.add("duplicate-region", region.span, message)
        elif name in entities:
            problems.add("duplicate-region", region.span, f"{shown(name)} is also an object or fixture; rename one")
        first.setdefault(name, region.span.line)
        if region.target not in entities:
            hint = problems.suggest(region.target, entities, "declare it or remove the region")
            message = f"region {shown(region.name)} is on {shown(region.target)}, which is not declared; {hint}"
            where = region.target_span or region.span
            problems.add("unknown-target", where, message, None if name in index.used else "warning")
        if name not in index.used:
            what = "region" if region.ranges else "site"
            message = f"{what} {shown(name)} is never used; remove it"
            problems.add("unused-region", region.span, message, None if region.ranges else "info")


def check_interest(index: Index, problems: Problems) -> None:
    """Report objects of interest that do not exist."""
    names = index.entities.keys() | index.regions.keys()
    for name in index.task.obj_of_interest:
        if name not in names:
            hint = problems.suggest(name, names, "declare it or remove it")
            message = f"object of interest {shown(name)} is not declared; {hint}"
            problems.add("unknown-interest", index.task.spans[f"interest:{name}"], message)


# Rules about ``:init``: everything stands somewhere, once, on something that stands.

# The reference table is 1.0 x 1.2 m and centred at the origin of the workspace frame.
TABLE_HALF_X_M = 0.5
TABLE_HALF_Y_M = 0.6


def check_placed(index: Index, problems: Problems) -> None:
    """Report entities that ``:init`` places never or twice."""
    task, placed = index.task, index.placed
    for entity in (*task.fixtures, *task.objects):
        if entity.name not in placed and not is_workspace(entity):
            message = f"{entity.kind} {shown(entity.name)} is never placed; add (On {entity.name} ...) to :init"
            problems.add("never-placed", entity.span, message)
    for atom in task.init:
        name = str(atom.args[0])
        if atom.predicate in ("On", "In") and placed[name] is not atom:
            line = placed[name].span.line
            problems.add("placed-twice", atom.span, f"{shown(name)} is already placed in line {line}; remove one")


def check_circles(index: Index, problems: Problems) -> None:
    """Report objects that are placed on each other in a circle."""
    for name in _circular(index):
        message = f"{shown(name)} ends up on itself; place one of the circle on a region"
        problems.add("placement-cycle", index.placed[name].span, message)


def _circular(index: Index) -> list[str]:
    """Return one member of each circle of placements."""
    found: list[str] = []
    visited_from: dict[str, str] = {}
    for start in index.placed:
        name = start
        while name in index.placed and name not in visited_from:
            visited_from[name] = start
            name = str(index.placed[name].args[1])
        if visited_from.get(name) == start and name in index.placed:
            found.append(name)
    return found


def check_ranges(index: Index, problems: Problems) -> None:
    """Report regions without ranges that place something, and rectangles off the table."""
    placing = {str(atom.args[1]): atom for atom in reversed(index.placed.values())}
    for region in index.task.regions:
        target = index.entity(region.target)
        if target is None:
            continue
        name = region.full_name
        if is_workspace(target) and name in placing and not region.ranges:
            message = f"{shown(name)} has no :ranges, so nothing can be placed there; add them"
            problems.add("placed-without-range", placing[name].arg_spans[1], message)
        if target.category != "table":
            continue
        for rect in region.ranges:
            outside = _outside(rect)
            if outside == "no" or (outside == "partly" and name not in index.used):
                continue
            message = f"rectangle of {shown(name)} lies {outside} outside the table (|x| <= 0.5 m, |y| <= 0.6 m)"
            if outside == "wholly":
                problems.add("region-outside-table", rect.span, f"{message}; move it")
            elif name in placing:
                problems.add("region-outside-table", rect.span, f"{message}; shrink it", "warning")
            else:
                problems.add("region-outside-table", rect.span, f"{message}; harmless for a goal", "info")


def _outside(rect: Rect) -> str:
    inside_x = rect.x_min >= -TABLE_HALF_X_M and rect.x_max <= TABLE_HALF_X_M
    inside_y = rect.y_min >= -TABLE_HALF_Y_M and rect.y_max <= TABLE_HALF_Y_M
    if inside_x and inside_y:
        return "no"
    apart_x = rect.x_min > TABLE_HALF_X_M or rect.x_max < -TABLE_HALF_X_M
    apart_y = rect.y_min > TABLE_HALF_Y_M or rect.y_max < -TABLE_HALF_Y_M
    return "wholly" if apart_x or apart_y else "partly"


def check_overlap(index: Index, problems: Problems, known: Known | None) -> None:
    """Report things that stand inside each other: never apart (error), or not with both in the middle (warning).

    Footprints count as the largest circles inside them, so what is reported is really too close.
    """
    standing = []
    for name, atom in index.placed.items():
        entity, region = index.entity(name), index.regions.get(str(atom.args[1]))
        target = index.entity(region.target) if region is not None else None
        if entity is None or region is None or target is None or not is_workspace(target) or not region.ranges:
            continue
        inner = known[entity.category].inner_m if known is not None and entity.category in known else 0.0
        standing.append((name, atom, region.ranges, inner))
    for i, (name, atom, ranges, inner) in enumerate(standing):
        for other, _, others, other_inner in standing[:i]:
            need = inner + other_inner
            middle = max(_apart(a, b, 0.0) for a in ranges for b in others)
            if not inner or not other_inner or middle >= need:
                continue
            never = max(_apart(a, b, 1.0) for a in ranges for b in others) < need
            message = f"{shown(name)} and {shown(other)} stand {100 * middle:.0f} cm apart and need {100 * need:.0f} cm"
            problems.add("regions-overlap", atom.span, f"{message}; move one region", None if never else "warning")


def _apart(a: Rect, b: Rect, share: float) -> float:
    """Return the distance of two rectangles' middles (``share`` 0) or of their farthest points (1)."""
    gaps = (
        abs(a.x_min + a.x_max - b.x_min - b.x_max) / 2 + share * (a.x_max - a.x_min + b.x_max - b.x_min) / 2,
        abs(a.y_min + a.y_max - b.y_min - b.y_max) / 2 + share * (a.y_max - a.y_min + b.y_max - b.y_min) / 2,
    )
    return math.hypot(*gaps)


def check_path_starts(index: Index, problems: Problems) -> None:
    """Report waypoints that begin elsewhere than ``:init`` puts their object, which then starts on the first one."""
    for mover in index.task.movers:
        region, distance = index.task.distant_start(mover) or (None, 0.0)
        target = index.entity(region.target) if region is not None else None
        if region is None or target is None or not is_workspace(target):
            continue
        where = f"{100 * distance:.0f} cm outside {shown(region.full_name)}"
        message = (
            f"the path of {shown(mover.name)} begins {where}, and so does {shown(mover.name)}; move one to the other"
        )
        problems.add("path-starts-elsewhere", mover.span, message)


def check_yaw(index: Index, problems: Problems) -> None:
    """Tell where a yaw applies to a movable object, which only Proctor does."""
    for name, atom in index.placed.items():
        entity, region = index.entity(name), index.regions.get(str(atom.args[1]))
        if entity is None or entity.kind == "fixture" or region is None or region.yaw_rad is None:
            continue
        message = f"the yaw of {shown(region.name)} turns object {shown(name)} here and is ignored by the reference"
        problems.add("yaw-on-object", region.yaw_span or region.span, f"{message}; keep it or remove it")


# Rules about ``:goal`` and ``:cost``.


def check_containers(index: Index, problems: Problems, known: Known | None) -> None:
    """Report ``In`` with a whole object: only a contain site has an inside."""
    for atom in index.atoms:
        if atom.predicate not in ("In", "NotIn"):
            continue
        container = index.entity(atom.args[1])
        if container is None:
            continue
        site = next((region.full_name for region in index.sites.get(container.name, ())), None)
        advice = f"write {site}" if site else f"use On, or a region (contain_region (:target {container.name}))"
        contains = known is not None and container.category in known and known[container.category].contains
        if contains:
            message = f"{shown(container.name)} is no contain site; Proctor uses the asset's own, the reference fails"
        else:
            message = f"{shown(container.name)} has no contain site that this file names"
        problems.add("in-without-contain-site", atom.arg_spans[1], f"{message}; {advice}", "info" if contains else None)


def check_whole_fixtures(index: Index, problems: Problems) -> None:
    """Report ``On`` with a whole fixture: the reference then asks for 7 cm between two origins."""
    for atom in index.atoms:
        if atom.predicate not in ("On", "NotOn"):
            continue
        fixture = index.entity(atom.args[1])
        if fixture is None or fixture.kind != "fixture" or is_workspace(fixture):
            continue
        site = next((r.full_name for r in index.sites.get(fixture.name, ()) if r.name == "top_side"), None)
        advice = f"write {site}" if site else f"name a site, such as {fixture.name}_top_side"
        message = f"On the whole fixture {shown(fixture.name)} does not say which of its surfaces; {advice}"
        problems.add("on-whole-fixture", atom.arg_spans[1], message)


def check_repeated_cost(index: Index, problems: Problems) -> None:
    terms: dict[tuple[str, tuple[Argument, ...]], list[Atom]] = {}
    for expr in index.task.cost:
        if isinstance(expr, Atom):
            terms.setdefault((expr.predicate, expr.args), []).append(expr)
    for same in terms.values():
        if len(same) > 1:
            message = f"this {same[0].predicate} stands {len(same)} times in :cost and so weighs {len(same)}-fold"
            problems.add("duplicate-cost", same[1].span, f"{message}; keep one")


def check_siblings(index: Index, problems: Problems) -> None:
    """Report objects that ``NotOn`` does not watch although it watches others of their category on the same thing."""
    watched: dict[tuple[str, str], dict[str, Atom]] = {}
    for atom in index.cost_atoms:
        entity = index.entity(atom.args[0]) if atom.predicate == "NotOn" else None
        if entity is not None:
            watched.setdefault((entity.category, str(atom.args[1])), {})[entity.name] = atom
    if not watched:
        return
    resting: dict[tuple[str, str], list[str]] = {}
    for entity in index.task.objects:
        for support in index.supports(entity.name):
            resting.setdefault((entity.category, support), []).append(entity.name)
    for (category, support), atoms in watched.items():
        siblings = resting.get((category, support), [])
        missing = [name for name in siblings if name not in atoms]
        if missing:
            message = f"NotOn watches {len(siblings) - len(missing)} of {len(siblings)} {category}"
            problems.add(
                "siblings-not-monitored", list(atoms.values())[-1].span, f"{message}; add {', '.join(missing[:4])}"
            )


def check_filled(index: Index, problems: Problems) -> None:
    """Report ``Spilled`` of something that nothing was put into: it could never become true."""
    holding = {fill.vessel for fill in index.task.fills}
    for entity in index.task.objects:
        holding.update(index.supports(entity.name))
    for atom in index.cost_atoms:
        if atom.predicate == "Spilled" and atom.args[0] not in holding:
            name = str(atom.args[0])
            message = f"nothing is in {shown(name)}, so nothing can be spilled; add (:fill ({name} half))"
            problems.add("never-filled", atom.arg_spans[0], message)


def check_goal_at_start(index: Index, problems: Problems) -> None:
    """Report goals that ``:init`` already fulfils."""
    task = index.task
    atoms = _conjunction(task.goal)
    stated = {(atom.predicate, atom.args) for atom in task.init}
    if atoms and all(_holds(atom, stated) for atom in atoms):
        message = "every predicate of the goal already holds in :init; a motionless robot would succeed, change one"
        problems.add("goal-holds-at-start", task.goal.span, message)


def _conjunction(expr: Expr) -> list[Atom] | None:
    """Return the atoms of a plain conjunction, or None for anything else."""
    if isinstance(expr, Atom):
        return [expr]
    if not isinstance(expr, And):
        return None
    parts = [_conjunction(item) for item in expr.items]
    return None if any(part is None for part in parts) else [atom for part in parts if part for atom in part]


def _holds(atom: Atom, stated: set[tuple[str, tuple[Argument, ...]]]) -> bool:
    if atom.predicate == "Close":
        return ("Open", atom.args) not in stated
    return (atom.predicate, atom.args) in stated


# The linter: every rule on one task.

SUFFIXES = (".bddl", ".cbddl")
# A defect that somebody else's rule has found: its code, its place and a message.
Defect: TypeAlias = tuple[str, Span, str]
Rules: TypeAlias = Callable[[Task, Known | None], Iterable[Defect]]


def lint_task(task: Task, problems: Problems, known: Known | None, rules: Rules | None) -> None:
    """Report the defects of a task whose syntax was understood.

    ``rules`` are those about sentences, which this package does not read (`proctor.tasks.words.instruction_defects`).
    Rules that notice an absence stay silent after a fatal defect: what they miss may be what was not understood.
    """
    index = Index(task)
    complete = not problems.fatal
    check_header(index, problems)
    check_categories(index, problems, known)
    check_ranges(index, problems)
    check_yaw(index, problems)
    check_overlap(index, problems, known)
    check_path_starts(index, problems)
    check_containers(index, problems, known)
    check_whole_fixtures(index, problems)
    check_repeated_cost(index, problems)
    if not complete:
        return
    check_regions(index, problems)
    check_interest(index, problems)
    check_placed(index, problems)
    check_siblings(index, problems)
    check_filled(index, problems)
    check_goal_at_start(index, problems)
    for code, span, message in rules(task, known) if rules is not None else ():
        problems.add(code, span, message)


def task_files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """Yield files as given, and for folders the task files below them in order of their names."""
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
        else:
            yield path
