"""What a task's things compile to, as a digest: what of the assets enters the provenance of a task or an episode.

Only the things of the task count, in the instances that its scenes show; the scenery and the robot do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import version

from proctor.assets import Asset, asset_digest, make
from proctor.core import digest_of, kept_digest, named_seed, source_digest
from proctor.tasks.cbddl import Task

from ._contents import particle_seed
from ._pour import particle_for
from ._scene import INSTANCE_SETS, asset_of, built


def instance_set_of(seed: int) -> int:
    """Return which set of object instances an episode shows."""
    return named_seed(seed, "instances") % INSTANCE_SETS


def things_digest(task: Task, instance_sets: Iterable[int] = range(INSTANCE_SETS)) -> str:
    """Return `digest_things`, kept in the cache folder until our source or what it computes with changes."""
    sets = tuple(sorted(set(instance_sets)))
    key = ("things", source_digest(), *_tools(), task.text_hash, repr(sets))
    return kept_digest(key, lambda: digest_things(task, sets))


@cache
def _tools() -> tuple[str, ...]:
    return tuple(f"{name} {version(name)}" for name in ("mujoco", "numpy", "scipy"))


def digest_things(task: Task, instance_sets: Sequence[int]) -> str:
    """Return 16 hexadecimal digits over the things of a task, in the given sets of instances."""
    vessels = {fill.vessel for fill in task.fills}
    found: set[str] = set()
    for instance_set in instance_sets:
        for entity in built(task):
            asset = asset_of(entity, instance_set, task.look(entity.name))
            found.add(_one(asset))
            if entity.name in vessels:
                category = particle_for(asset)
                found.add(_one(make(category, particle_seed(instance_set, category))))
    return digest_of(sorted(found))


def _one(asset: Asset) -> str:
    return asset_digest(asset.category, asset.seed, asset.look)
