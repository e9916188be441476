"""Rules about ``:init``: everything stands somewhere, once, on something that stands."""

from __future__ import annotations

from proctor.cbddl._diagnostics import Problems, shown
from proctor.cbddl._model import Atom, Rect, Task
from proctor.cbddl._rules_declarations import is_workspace, used_names

# The reference table is 1.0 x 1.2 m and centred at the origin of the workspace frame.
TABLE_HALF_X_M = 0.5
TABLE_HALF_Y_M = 0.6


def placements(task: Task) -> dict[str, Atom]:
    """Return the predicate that places each entity; the first one counts."""
    found: dict[str, Atom] = {}
    for atom in task.init:
        if atom.predicate in ("On", "In"):
            found.setdefault(str(atom.args[0]), atom)
    return found


def supports(task: Task, name: str) -> list[str]:
    """Return what ``name`` rests on, and what that rests on, down to the first region or cycle."""
    placed = placements(task)
    chain: list[str] = []
    while name in placed:
        name = str(placed[name].args[1])
        if name in chain:
            break
        chain.append(name)
    return chain


def check_placed(task: Task, problems: Problems) -> None:
    """Report entities that ``:init`` places never, twice, or in a circle."""
    placed = placements(task)
    for entity in (*task.fixtures, *task.objects):
        if entity.name not in placed and not is_workspace(entity):
            message = f"{entity.kind} {shown(entity.name)} is never placed; add (On {entity.name} ...) to :init"
            problems.add("never-placed", entity.span, message)
    for atom in task.init:
        if atom.predicate not in ("On", "In"):
            continue
        name = str(atom.args[0])
        if placed[name] is not atom:
            line = placed[name].span.line
            problems.add("placed-twice", atom.span, f"{shown(name)} is already placed in line {line}; remove one")
        elif name in supports(task, name):
            problems.add(
                "placement-cycle", atom.span, f"{shown(name)} ends up on itself; place one of them on a region"
            )


def check_ranges(task: Task, problems: Problems) -> None:
    """Report regions without ranges that place something, and rectangles off the table."""
    placing = {str(atom.args[1]): atom for atom in reversed(task.init) if atom.predicate in ("On", "In")}
    used = used_names(task)
    for region in task.regions:
        target = task.entity(region.target)
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
            if outside == "no" or (outside == "partly" and name not in used):
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


def check_yaw(task: Task, problems: Problems) -> None:
    """Tell where a yaw applies to a movable object, which only Proctor does."""
    objects = {entity.name for entity in task.objects}
    for name, atom in placements(task).items():
        region = task.region(str(atom.args[1]))
        if region is None or region.yaw_rad is None or name not in objects:
            continue
        message = f"the yaw of {shown(region.name)} turns object {shown(name)} here and is ignored by the reference"
        problems.add("yaw-on-object", region.yaw_span or region.span, f"{message}; keep it or remove it")
