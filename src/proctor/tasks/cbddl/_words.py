"""Goals and costs said back in plain words: `goal_in_words`, `cost_in_words`."""

from __future__ import annotations

from ._expressions import atoms_of
from ._model import And, Argument, Atom, Expr, Not, Once, OnceAfter, Or, Seq, Task, Then
from ._predicates import PREDICATES

# {0}, {1}, ... are the arguments of the predicate; lengths are in metres, forces in newtons.
PHRASES: dict[str, str] = {
    "On": "{0} is on {1}",
    "In": "{0} is in {1}",
    "Open": "{0} is open",
    "Close": "{0} is closed",
    "TurnOn": "{0} is switched on",
    "TurnOff": "{0} is switched off",
    "InContact": "{0} touches {1}",
    "InContactPart": "{2} of {0} touches {3} of {1}",
    "CheckForce": "{0} is pressed with more than {1} N",
    "CheckForce/3": "{0} presses {1} with more than {2} N",
    "CheckDistance": "{0} comes within {2} m of {1}",
    "CheckGripperDistance": "the gripper comes within {1} m of {0}",
    "CheckGripperDistancePart": "the gripper comes within {2} m of {1} of {0}",
    "CheckGripperContact": "the gripper touches {0}",
    "CheckGripperContactPart": "the gripper touches {1} of {0}",
    "Collide": "{0} has touched something new",
    "Fall": "{0} has fallen",
    "NotOn": "{0} is not on {1}",
    "NotIn": "{0} is not in {1}",
    "Spilled": "something has been spilled from {0}",
    "Up": "{0} is raised by 10 cm or more",
    "Lifted": "{0} has been lifted",
    "Stack": "{0} is stacked on {1}",
    "Held": "{0} is held",
    "Released": "{0} is let go",
    "Still": "{0} is still",
    "Placed": "{0} is put down in or on {1}",
    "Taken": "{0} is taken from {1}",
    "Out": "{0} is out of {1}",
    "LiftedBy": "{0} is raised by {1} m or more",
    "Above": "{0} is above {1}",
    "AboveRim": "{0} is above the rim of {1}",
    "Near": "{0} is within {2} m of {1}",
    "Pressed": "{0} has been pressed",
    "PressedOnly": "{0} has been pressed and no other button",
    "Poured": "at least the share {2} of {0} has been poured into {1}",
    "Inserted": "{0} is inserted into {1}",
    "Hung": "{0} hangs on {1}",
    "Joint": "the joint {0} is between {1} and {2}",
    "DrivenBy": "at least the share {2} of the way of {0} was driven by {1}",
    "StruckBy": "{0} was set moving by {1}",
    "NeverHeld": "{0} was never held",
    "Moved": "{0} has moved by {1} m or more",
    "Attached": "{0} is joined to {1}",
    "Filled": "{0} is filled with {1}",
    "FaceUp": "{0} lies face up",
    "FacedCamera": "{0} faces the camera",
    "Upright": "{0} stands upright",
    "Ordered": "{1} stand in this order along {0}, {2} m or more apart",
    "OnlyIn": "{1} and nothing else are in or on {0}",
    "Consistent": "{0} is in or on {1}, and none of {2} is",
    "True": "always",
    "False": "never",
}
_COUNTS = {
    "instantaneous": "1 for each control step in which",
    "terminal": "10 at the end if",
    "counted": "1 for each part of which it is so:",
}


def goal_in_words(task: Task) -> str:
    """Return the goal of a task as one line; things are called by their names in the file, without underscores."""
    return in_words(task, task.goal)


def cost_in_words(task: Task) -> list[str]:
    """Return what costs how much, one line for each predicate of ``:cost``."""
    return [f"{_COUNTS[_timing(expr)]} {in_words(task, expr)}" for expr in task.cost]


def in_words(task: Task, expr: Expr) -> str:
    match expr:
        case Atom():
            key = f"{expr.predicate}/{len(expr.args)}"
            phrase = PHRASES.get(key, PHRASES[expr.predicate])
            return phrase.format(*(_named(task, argument) for argument in expr.args))
        case And():
            return " and ".join(_grouped(task, item) for item in expr.items)
        case Or():
            return " or ".join(_grouped(task, item) for item in expr.items)
        case Not():
            return f"it is not so that {_grouped(task, expr.item)}"
        case Then():
            return ", then ".join(in_words(task, item) for item in expr.items)
        case Once():
            return f"at some time {in_words(task, expr.item)}"
        case OnceAfter():
            return f"at some time, while {in_words(task, expr.after)}, {in_words(task, expr.item)}"
        case Seq():
            return "in this order: " + ", ".join(in_words(task, item) for item in expr.items)


def _grouped(task: Task, expr: Expr) -> str:
    words = in_words(task, expr)
    return words if isinstance(expr, Atom | Once) or len(getattr(expr, "items", (0,))) == 1 else f"({words})"


def _named(task: Task, argument: Argument) -> str:
    if isinstance(argument, tuple):
        return " and ".join(_named(task, str(part)) for part in argument)
    if not isinstance(argument, str):
        return f"{argument:g}"
    region = task.region(argument)
    if region is not None:
        place = f"{_plain(region.name)} of {_plain(region.target)}"
        return place if region.site or not region.ranges else f"the place {place}"
    return _plain(argument)


def _plain(name: str) -> str:
    return name.replace("_region", "").replace("_", " ").replace("/", ", ").strip()


def _timing(expr: Expr) -> str:
    kinds = {PREDICATES[atom.predicate].timing for atom in atoms_of(expr)}
    if isinstance(expr, Atom):
        return PREDICATES[expr.predicate].timing
    return "instantaneous" if kinds == {"instantaneous"} else "terminal"
