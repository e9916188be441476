"""Rules about ``:init``: everything stands somewhere, once, on something that stands."""

from __future__ import annotations

import math

from proctor.tasks.cbddl._diagnostics import Problems, shown
from proctor.tasks.cbddl._index import Index, is_workspace
from proctor.tasks.cbddl._known import Known
from proctor.tasks.cbddl._model import Rect

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
