"""A task's conditions and calls in the planner's own terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from proctor.assets import Asset
from proctor.tasks.cbddl import And, Atom, Expr, Not, Once, OnceAfter, Or, Seq, Task, Then
from proctor.tasks.cbddl import Call as TaskCall

from ._call import Call
from ._skills import SKILLS
from ._symbolic import Form


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

    def plan(self) -> tuple[Call, ...]:
        """Return the calls of the task's own plan, with names for arguments."""
        return tuple(self._call(call) for call in self._task.plan)

    def spelled(self, calls: Sequence[Call]) -> dict[tuple[str, str], str]:
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

    def _call(self, call: TaskCall) -> Call:
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


def call_of(skill: str, values: Iterable[object]) -> Call:
    """Return a call from arguments in the order of the skill's roles."""
    roles = SKILLS[skill].roles if skill in SKILLS else ()
    return Call(skill, dict(zip(roles, values, strict=False)))
