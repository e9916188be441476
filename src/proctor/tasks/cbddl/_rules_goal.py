"""Rules about ``:goal`` and ``:cost``."""

from __future__ import annotations

from proctor.tasks.cbddl._diagnostics import Problems, shown
from proctor.tasks.cbddl._index import Index, is_workspace
from proctor.tasks.cbddl._known import Known
from proctor.tasks.cbddl._model import And, Argument, Atom, Expr


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
