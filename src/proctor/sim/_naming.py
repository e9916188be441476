"""What things are called, what a linter should know of the categories, and the digest of what they compile to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import version

from proctor.assets import Asset, asset_digest, categories, inner_radius_m, make
from proctor.core import digest_of, kept_digest, named_seed, source_digest
from proctor.tasks.cbddl import Task

from ._particles import particle_for, particle_seed
from ._scene import INSTANCE_SETS, WORKSPACES, asset_of, built

WORKSPACE_NOUNS = ("table", "floor")


def known_categories() -> dict[str, tuple[bool, tuple[str, ...], float]]:
    """Return, for each category that can be built, whether it can contain things, its nouns and its inner radius."""
    known: dict[str, tuple[bool, tuple[str, ...], float]] = dict.fromkeys(WORKSPACES, (False, WORKSPACE_NOUNS, 0.0))
    for name in categories():
        asset = make(name, 0)
        known[name] = (any(site.kind == "contain" for site in asset.sites), asset.nouns, inner_radius_m(asset))
    return known


def nouns_of(task: Task) -> dict[str, tuple[str, ...]]:
    """Return the phrases by which an instruction may call each entity of a task."""
    return {
        entity.name: WORKSPACE_NOUNS if entity.category in WORKSPACES else make(entity.category, 0).nouns
        for entity in (*task.fixtures, *task.objects)
    }


# What a task's things compile to, as a digest: what of the assets enters the provenance of a task or an episode.
#
# Only the things of the task count, in the instances that its scenes show; the scenery and the robot do not.


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
