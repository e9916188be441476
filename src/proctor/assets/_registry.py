"""Categories by name: ``@category`` registers a maker, ``make`` calls it with the instance's own random stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias

from proctor.core import ProctorError, did_you_mean, named_rng

from ._hollow import Hollow
from ._model import Asset, Button, Grasp, Handle, Link, Site, Spout, Stem, Vec3

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
    """What a maker decides about one instance; the registry adds category, seed and nouns to make an ``Asset``.

    ``nouns`` are words for this instance alone (a mango among the fruits), said before those of the category.
    """

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
    contact: Literal["normal", "firm"] = "normal"
    buttons: tuple[Button, ...] = ()
    spout: Spout | None = None
    stem: Stem | None = None
    face: Vec3 | None = None
    fill: str = ""
    nouns: tuple[str, ...] = ()


Maker: TypeAlias = Callable[..., Blueprint]
Look: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Entry:
    maker: Maker
    nouns: tuple[str, ...]
    looks: dict[str, tuple[str, ...] | None]
    of: Literal["arena", "knowledge"]


_entries: dict[str, _Entry] = {}


def category(
    name: str, *, nouns: tuple[str, ...], looks: Mapping[str, Sequence[str] | None] = MappingProxyType({})
) -> Callable[[Maker], Maker]:
    """Register the maker of category ``name``; ``nouns`` are the words an instruction may call it by.

    The maker draws every number from the generator it is given, so a seed fixes the instance. ``looks`` names what may
    be asked for besides the seed, each with its allowed values (None: any text). The maker gets those that were asked
    for as keywords, as text; what was not asked for it draws itself.
    """

    def register(maker: Maker) -> Maker:
        if name in _entries:
            raise ValueError(f"asset category {name!r} is registered twice")
        allowed = {key: None if values is None else tuple(values) for key, values in looks.items()}
        _entries[name] = _Entry(maker, nouns, allowed, "knowledge" if ".knowledge." in maker.__module__ else "arena")
        return maker

    return register


@cache
def _load() -> None:
    for family in _FAMILIES:
        import_module(f"{__package__}.{family}")
    for module in sorted(path.stem for path in (Path(__file__).parent / "knowledge").glob("_[a-z]*.py")):
        import_module(f"{__package__}.knowledge.{module}")


def categories(of: Literal["all", "arena", "knowledge"] = "all") -> tuple[str, ...]:
    """Names of all categories, or of those made for VLA-Arena and LIBERO or for the bench suite alone, sorted."""
    _load()
    return tuple(sorted(name for name, entry in _entries.items() if of in ("all", entry.of)))


def looks_of(name: str) -> dict[str, tuple[str, ...] | None]:
    """Return what may be asked for of a category besides the seed, with the allowed values (None: any text)."""
    return dict(_entry(name).looks)


def _entry(name: str) -> _Entry:
    _load()
    entry = _entries.get(name)
    if entry is None:
        raise ProctorError(f"unknown asset category {name!r}{did_you_mean(name, _entries)}; see `proctor assets ls`")
    return entry


def _checked(name: str, looks: dict[str, tuple[str, ...] | None], look: Look) -> dict[str, str]:
    for key, value in look:
        if key not in looks:
            has = ", ".join(looks) or "none"
            raise ProctorError(f"{name} has no look {key!r}{did_you_mean(key, looks)} (it has {has})")
        allowed = looks[key]
        if allowed is not None and value not in allowed:
            raise ProctorError(f"{name} has no {key} {value!r}{did_you_mean(value, allowed)}")
    return dict(look)


@lru_cache(maxsize=512)
def make(name: str, seed: int, look: Look = ()) -> Asset:
    """Return the instance of category ``name`` that ``seed`` and ``look`` determine.

    Equal arguments give the same object.
    """
    entry = _entry(name)
    plan = entry.maker(named_rng(seed, "asset", name), **_checked(name, entry.looks, look))
    return Asset(
        category=name,
        seed=seed,
        kind=plan.kind,
        root=plan.root,
        radius_m=plan.radius_m,
        height_m=plan.height_m,
        nouns=(*plan.nouns, *(noun for noun in entry.nouns if noun not in plan.nouns)),
        sites=plan.sites,
        grasps=plan.grasps,
        handles=plan.handles,
        rolls=plan.rolls,
        elongated=plan.elongated,
        hollow=plan.hollow,
        particle=plan.particle,
        part_aliases=plan.part_aliases,
        look=look,
        contact=plan.contact,
        buttons=plan.buttons,
        spout=plan.spout,
        stem=plan.stem,
        face=plan.face,
        fill=plan.fill,
    )
