""":regions: places on the table, and sites of fixtures and objects."""

from __future__ import annotations

from proctor.tasks.cbddl._diagnostics import Problems
from proctor.tasks.cbddl._model import Rect, Region, Span
from proctor.tasks.cbddl._numbers import parse_angle
from proctor.tasks.cbddl._sexp import Form, Node, Word
from proctor.tasks.cbddl._shape import arguments, describe, forms, head_span, single, vector

ATTRIBUTES = (":target", ":ranges", ":yaw_rotation", ":rgba")


def read_regions(block: Form, problems: Problems) -> list[Region]:
    """Return the regions of a ``:regions`` block; those without a target are left out."""
    found = (_region(form, problems) for form in forms(arguments(block), "a region (name (:target ...))", problems))
    return [region for region in found if region is not None]


def _region(form: Form, problems: Problems) -> Region | None:
    target: Word | None = None
    ranges: list[Rect] = []
    yaw: tuple[float, float] | None = None
    yaw_span: Span | None = None
    rgba: tuple[float, ...] | None = None
    seen: set[str] = set()
    for attribute in forms(arguments(form), "an attribute such as (:target main_table)", problems):
        key = attribute.head
        if key in seen:
            problems.add("duplicate-block", head_span(attribute), f"{key} is given twice; the first one is used")
            continue
        seen.add(key)
        if key == ":target":
            target = _target(attribute, problems)
        elif key == ":ranges":
            ranges = _ranges(attribute, problems)
        elif key == ":yaw_rotation":
            yaw, yaw_span = _yaw(attribute, problems), head_span(attribute)
        elif key == ":rgba":
            node = single(attribute, problems)
            rgba = vector(node, 4, "(0 0 1 0.5)", problems) if node is not None else None
        else:
            hint = problems.suggest(key, ATTRIBUTES, f"known are {', '.join(ATTRIBUTES)}")
            problems.add("unknown-attribute", head_span(attribute), f"unknown region attribute {key!r}; {hint}")
    name = form.head
    if target is None:
        if ":target" not in seen:
            problems.add(
                "missing-attribute", head_span(form), f"region {name!r} has no target; add (:target main_table)"
            )
        return None
    colour = None if rgba is None else (rgba[0], rgba[1], rgba[2], rgba[3])
    entity, _, site = target.folded.partition("/")
    return Region(name, entity, tuple(ranges), yaw, colour, head_span(form), target.span, yaw_span, site)


def _target(attribute: Form, problems: Problems) -> Word | None:
    node = single(attribute, problems)
    if isinstance(node, Form):
        problems.add("syntax-shape", node.span, "the target is one name; write (:target main_table)")
        return None
    return node


def _rows(attribute: Form, example: str, problems: Problems) -> list[Node]:
    node = single(attribute, problems)
    if node is None:
        return []
    if isinstance(node, Word) or not node.items or isinstance(node.items[0], Word):
        problems.add("syntax-shape", node.span, f"{attribute.head} is a list of lists; write {example}")
        return []
    return node.items


def _ranges(attribute: Form, problems: Problems) -> list[Rect]:
    found = []
    for row in _rows(attribute, "(:ranges ((x_min y_min x_max y_max)))", problems):
        values = vector(row, 4, "(x_min y_min x_max y_max)", problems)
        if values is None:
            continue
        rect = Rect(values[0], values[1], values[2], values[3], row.span)
        if rect.x_min > rect.x_max or rect.y_min > rect.y_max:
            axis = "x" if rect.x_min > rect.x_max else "y"
            problems.add("empty-range", row.span, f"{axis} minimum is larger than {axis} maximum; swap them")
        found.append(rect)
    return found


def _yaw(attribute: Form, problems: Problems) -> tuple[float, float] | None:
    rows = _rows(attribute, "(:yaw_rotation ((low high)))", problems)
    if not rows:
        return None
    row = rows[0]
    if len(rows) > 1 or isinstance(row, Word) or len(row.items) != 2:
        problems.add("syntax-shape", row.span, "yaw is one interval; write (:yaw_rotation ((low high))) in radians")
        return None
    ends = [_angle(item, problems) for item in row.items]
    low, high = ends
    if low is None or high is None:
        return None
    if low > high:
        problems.add("empty-yaw", row.span, "yaw minimum is larger than its maximum; swap them")
    return low, high


def _angle(node: Node, problems: Problems) -> float | None:
    value = parse_angle(node.text) if isinstance(node, Word) else None
    if value is None:
        problems.add(
            "syntax-angle", node.span, f"expected an angle, found {describe(node)}; write it like 1.57 or -pi/2"
        )
    return value
