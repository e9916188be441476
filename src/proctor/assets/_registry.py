"""Categories by name: ``@category`` registers a maker, ``make`` calls it with the instance's own random stream."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from ..core import ProctorError, did_you_mean, named_rng
from ._hollow import Hollow
from ._model import Asset, Grasp, Handle, Link, Site

_FAMILIES = (
    "_bakery",
    "_balls",
    "_bottles",
    "_bowls",
    "_cabinet",
    "_containers",
    "_cutlery",
    "_fruit",
    "_fruit_lying",
    "_groceries",
    "_mugs",
    "_plates",
    "_ramekin",
    "_shelves",
    "_stove",
    "_toy_vehicles",
    "_toys",
    "_turned",
    "_unseen",
    "_vegetables",
    "_vessels",
)


@dataclass(frozen=True, slots=True, eq=False)
class Blueprint:
    """What a maker decides about one instance; the registry adds category, seed and nouns to make an ``Asset``."""

    root: Link
    radius_m: float
    height_m: float
    sites: tuple[Site, ...] = ()
    grasps: tuple[Grasp, ...] = ()
    handles: tuple[Handle, ...] = ()
    rolls: bool = False
    elongated: bool = False
    hollow: Hollow | None = None
    particle: bool = False
    kind: Literal["object", "fixture"] = "object"
    part_aliases: dict[int, str] = field(default_factory=dict)


Maker: TypeAlias = Callable[[np.random.Generator], Blueprint]


@dataclass(frozen=True, slots=True)
class _Entry:
    maker: Maker
    nouns: tuple[str, ...]


_entries: dict[str, _Entry] = {}


def category(name: str, *, nouns: tuple[str, ...]) -> Callable[[Maker], Maker]:
    """Register the maker of category ``name``; ``nouns`` are the words an instruction may call it by.

    The maker draws every number from the generator it is given, so a seed fixes the instance.
    """

    def register(maker: Maker) -> Maker:
        if name in _entries:
            raise ValueError(f"asset category {name!r} is registered twice")
        _entries[name] = _Entry(maker, nouns)
        return maker

    return register


@cache
def _load() -> None:
    for family in _FAMILIES:
        import_module(f"{__package__}.{family}")


def categories() -> tuple[str, ...]:
    """Names of all categories, sorted."""
    _load()
    return tuple(sorted(_entries))


@lru_cache(maxsize=512)
def make(name: str, seed: int) -> Asset:
    """Return the instance of category ``name`` that ``seed`` determines; equal arguments give the same object."""
    _load()
    entry = _entries.get(name)
    if entry is None:
        raise ProctorError(f"unknown asset category {name!r}{did_you_mean(name, _entries)}; see `proctor assets ls`")
    plan = entry.maker(named_rng(seed, "asset", name))
    return Asset(
        category=name,
        seed=seed,
        kind=plan.kind,
        root=plan.root,
        radius_m=plan.radius_m,
        height_m=plan.height_m,
        nouns=entry.nouns,
        sites=plan.sites,
        grasps=plan.grasps,
        handles=plan.handles,
        rolls=plan.rolls,
        elongated=plan.elongated,
        hollow=plan.hollow,
        particle=plan.particle,
        part_aliases=plan.part_aliases,
    )


@cache
def assets_hash() -> str:
    """SHA-256 over this package's source files: the part of a run's fingerprint that says what objects looked like."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
