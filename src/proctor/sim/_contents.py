"""Which particles lie in which vessel at the start: from ``:fill``, or from balls that ``:init`` puts on a vessel.

A chain ``(On ball_1 mug) (On ball_2 ball_1)``, as upstream writes it, means that all of them are in the mug; they are
poured like any others, not stacked on a point.
"""

from __future__ import annotations

from dataclasses import dataclass

from proctor.assets import Asset, make
from proctor.core import named_seed
from proctor.tasks.cbddl import Task

from ._errors import SceneError, located
from ._pour import Poured, particle_for, poured
from ._rotation import Array


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """What a vessel holds after settling: the particles' places in the vessel's frame, and how high that then stands
    over what it stands on (a little below it: contacts are soft).
    """

    vessel: str
    particles: tuple[str, ...]
    origins: Array
    height_m: float


def contents_of(task: Task, assets: dict[str, Asset], instance_set: int) -> tuple[Contents, ...]:
    """Return the filled vessels of a task; particles that the file does not name are added to ``assets``."""
    declared = _declared(task, assets)
    found = []
    for vessel, names in declared.items():
        rest = _pour(assets, vessel, assets[names[0]], len(names))
        found.append(Contents(vessel, tuple(names), rest.origins, rest.height_m))
    for fill in task.fills:
        asset = assets[fill.vessel]
        if fill.vessel in declared:
            raise SceneError(f"{fill.span}: :init already puts balls into {fill.vessel!r}; keep one of the two")
        category = particle_for(asset)
        ball = make(category, particle_seed(instance_set, category))
        try:
            rest = _pour(assets, fill.vessel, ball, fill.amount)
        except SceneError as error:
            raise located(fill.span, error) from None
        names = [f"{fill.vessel}_water_{i + 1}" for i in range(len(rest.origins))]
        taken = next((name for name in names if name in assets), None)
        if taken is not None:
            raise SceneError(f"{fill.span}: {taken!r} is the name of a particle of {fill.vessel!r}; rename the object")
        assets.update(dict.fromkeys(names, ball))
        found.append(Contents(fill.vessel, tuple(names), rest.origins, rest.height_m))
    return tuple(found)


def particle_seed(instance_set: int, category: str) -> int:
    """Return the seed that all particles of a category share in a scene: they are alike, and compile to one mesh."""
    return named_seed(instance_set, category) % 2**32


def _pour(assets: dict[str, Asset], vessel: str, ball: Asset, amount: str | int) -> Poured:
    cup = assets[vessel]
    return poured((cup.category, cup.seed), (ball.category, ball.seed), amount)


def _declared(task: Task, assets: dict[str, Asset]) -> dict[str, list[str]]:
    """Return the declared particles that stand, directly or on others, on a vessel, by vessel."""
    under = {str(a.args[0]): str(a.args[1]) for a in task.init if a.predicate in ("On", "In")}
    inside: dict[str, list[str]] = {}
    for entity in task.objects:
        if not assets[entity.name].particle:
            continue
        name = under.get(entity.name, "")
        while name in under and assets[name].particle:
            name = under[name]
        vessel = name if name in assets else _target(task, name)
        if vessel in assets and assets[vessel].hollow is not None:
            inside.setdefault(vessel, []).append(entity.name)
    return inside


def _target(task: Task, name: str) -> str:
    region = task.region(name)
    return region.target if region is not None and not region.ranges else ""
