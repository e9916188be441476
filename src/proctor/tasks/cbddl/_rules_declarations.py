"""Rules about what a file declares: names, categories, regions, objects of interest."""

from __future__ import annotations

from proctor.tasks.cbddl._diagnostics import Problems, shown
from proctor.tasks.cbddl._index import Index, is_workspace
from proctor.tasks.cbddl._known import Known
from proctor.tasks.cbddl._model import Span
from proctor.tasks.cbddl._predicates import ROBOT_NAMES

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
