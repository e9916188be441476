"""Rules about ``:goal`` and ``:cost``."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.cbddl._diagnostics import Problems, shown
from proctor.cbddl._expressions import atoms_of
from proctor.cbddl._known import Known
from proctor.cbddl._model import And, Argument, Atom, Expr, Task
from proctor.cbddl._rules_declarations import is_workspace
from proctor.cbddl._rules_placement import supports


def _all_atoms(task: Task) -> Iterator[Atom]:
    yield from task.init
    for expr in (task.goal, *task.cost):
        yield from atoms_of(expr)


def check_containers(task: Task, problems: Problems, known: Known | None) -> None:
    """Report ``In`` with a whole object: only a contain site has an inside."""
    for atom in _all_atoms(task):
        if atom.predicate not in ("In", "NotIn"):
            continue
        container = task.entity(str(atom.args[1]))
        if container is None:
            continue
        site = next((r.full_name for r in task.regions if r.target == container.name and not r.ranges), None)
        advice = f"write {site}" if site else f"use On, or a region (contain_region (:target {container.name}))"
        contains = known is not None and container.category in known and known[container.category].contains
        if contains:
            message = f"{shown(container.name)} is no contain site; Proctor uses the asset's own, the reference fails"
        else:
            message = f"{shown(container.name)} has no contain site that this file names"
        problems.add("in-without-contain-site", atom.arg_spans[1], f"{message}; {advice}", "info" if contains else None)


def check_whole_fixtures(task: Task, problems: Problems) -> None:
    """Report ``On`` with a whole fixture: the reference then asks for 7 cm between two origins."""
    for atom in _all_atoms(task):
        if atom.predicate not in ("On", "NotOn"):
            continue
        fixture = task.entity(str(atom.args[1]))
        if fixture is None or fixture.kind != "fixture" or is_workspace(fixture):
            continue
        site = next((r.full_name for r in task.regions if r.target == fixture.name and r.name == "top_side"), None)
        advice = f"write {site}" if site else f"name a site, such as {fixture.name}_top_side"
        message = f"On the whole fixture {shown(fixture.name)} does not say which of its surfaces; {advice}"
        problems.add("on-whole-fixture", atom.arg_spans[1], message)


def check_cost(task: Task, problems: Problems) -> None:
    """Report repeated cost terms, and objects that are not watched although their siblings are."""
    terms: dict[tuple[str, tuple[Argument, ...]], list[Atom]] = {}
    for expr in task.cost:
        if isinstance(expr, Atom):
            terms.setdefault((expr.predicate, expr.args), []).append(expr)
    for same in terms.values():
        if len(same) > 1:
            message = f"this {same[0].predicate} stands {len(same)} times in :cost and so weighs {len(same)}-fold"
            problems.add("duplicate-cost", same[1].span, f"{message}; keep one")
    watched: dict[tuple[str, str], dict[str, Atom]] = {}
    for expr in task.cost:
        for atom in atoms_of(expr):
            entity = task.entity(str(atom.args[0])) if atom.args else None
            if atom.predicate == "NotOn" and entity is not None:
                watched.setdefault((entity.category, str(atom.args[1])), {})[entity.name] = atom
    for (category, support), atoms in watched.items():
        siblings = [e.name for e in task.objects if e.category == category and support in supports(task, e.name)]
        missing = [name for name in siblings if name not in atoms]
        if missing:
            message = f"NotOn watches {len(atoms)} of {len(siblings)} {category}; add {', '.join(missing[:4])}"
            problems.add("siblings-not-monitored", list(atoms.values())[-1].span, message)


def check_goal_at_start(task: Task, problems: Problems) -> None:
    """Report goals that ``:init`` already fulfils."""
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
