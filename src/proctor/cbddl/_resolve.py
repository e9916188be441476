"""Names: every argument must be something that the file declares, once. Without that a file means nothing."""

from __future__ import annotations

from proctor.cbddl._diagnostics import Problems, shown
from proctor.cbddl._expressions import atoms_of
from proctor.cbddl._index import Index
from proctor.cbddl._model import Atom, Task
from proctor.cbddl._predicates import KIND_NAMES, PREDICATES, ROBOT_NAMES, ArgumentKind
from proctor.cbddl._rules_declarations import check_names
from proctor.cbddl._rules_placement import check_circles


def resolve(task: Task, problems: Problems) -> None:
    """Report names that are unknown, ambiguous or of the wrong kind, and placements that lead nowhere."""
    index = Index(task)
    check_names(index, problems)
    check_circles(index, problems)
    if not {":fixtures", ":objects", ":regions"} <= task.spans.keys():
        return  # Without a block of declarations every name would be reported, and the block already is.
    things = {entity.name for entity in (*task.fixtures, *task.objects)}
    places = things | {region.full_name for region in task.regions}
    allowed: dict[ArgumentKind, set[str]] = {"thing": things, "place": places, "toucher": things | ROBOT_NAMES}
    known = places | ROBOT_NAMES
    full_names = {region.name: region.full_name for region in task.regions}

    def resolve_atom(atom: Atom) -> None:
        signatures = PREDICATES[atom.predicate].signatures
        signature = next(s for s in signatures if len(s) == len(atom.args))
        for arg, kind, span in zip(atom.args, signature, atom.arg_spans, strict=True):
            if not isinstance(arg, str) or kind not in allowed or arg in allowed[kind]:
                continue
            if arg in known:
                message = f"{atom.predicate} needs {KIND_NAMES[kind]} here, {shown(arg)} is {_kind_of(arg, task)}"
                problems.add("wrong-argument", span, f"{message}; name another")
            else:
                hint = problems.suggest(full_names.get(arg, arg), allowed[kind], "declare it or correct the name")
                problems.add("unknown-name", span, f"{shown(arg)} is not declared; {hint}")

    for atom in task.init:
        resolve_atom(atom)
    for expr in (task.goal, *task.cost):
        for atom in atoms_of(expr):
            resolve_atom(atom)
    objects = {entity.name for entity in task.objects}
    for mover in task.movers:
        if mover.name in things - objects:
            problems.add(
                "wrong-argument", mover.span, f"fixture {shown(mover.name)} cannot move; declare it in :objects"
            )
        elif mover.name not in objects:
            hint = problems.suggest(mover.name, objects, "declare it in :objects")
            problems.add("unknown-name", mover.span, f"{shown(mover.name)} is not declared; {hint}")
    filled: set[str] = set()
    for fill in task.fills:
        if fill.vessel in filled:
            problems.add("duplicate-fill", fill.span, f"{shown(fill.vessel)} is filled twice; remove one")
        elif fill.vessel in things - objects:
            problems.add("wrong-argument", fill.span, f"fixture {shown(fill.vessel)} cannot be filled; name an object")
        elif fill.vessel not in objects:
            hint = problems.suggest(fill.vessel, objects, "declare it in :objects")
            problems.add("unknown-name", fill.span, f"{shown(fill.vessel)} is not declared; {hint}")
        filled.add(fill.vessel)


def _kind_of(name: str, task: Task) -> str:
    entity = task.entity(name)
    if entity is not None:
        return f"a {entity.kind}" if entity.kind == "fixture" else "an object"
    return "the robot" if name in ROBOT_NAMES else "a region"
