"""What the rules look up, collected once so that linting stays linear in the size of the file."""

from __future__ import annotations

from proctor.tasks.cbddl._expressions import atoms_of
from proctor.tasks.cbddl._model import Atom, Entity, Region, Task

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
