"""Categories by name: ``categories.toml`` says which family makes what, ``make`` calls it with the instance's stream.

A family is a file of recipes (`_recipes`) or a module whose makers register themselves with ``@category``. Neither is
read before something of it is made.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias

from proctor.core import ProctorError, did_you_mean, named_rng

from ._model import Asset
from ._recipes import family

INDEX = "categories.toml"
Maker: TypeAlias = Callable[..., Asset]
Look: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Entry:
    maker: Maker
    nouns: tuple[str, ...]
    looks: dict[str, tuple[str, ...] | None]


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
        source = _sources().get(name)
        if name in _entries or (source and maker.__module__ != f"{source.package}.{source.stem}"):
            raise ValueError(f"asset category {name!r} is registered twice")
        allowed = {key: None if values is None else tuple(values) for key, values in looks.items()}
        _entries[name] = _Entry(maker, nouns, allowed)
        return maker

    return register


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a category is made: the package, its folder, and the family's name (a module where it begins with _)."""

    package: str
    folder: Path
    stem: str


@cache
def _sources() -> dict[str, _Source]:
    here, package = Path(__file__).parent, __package__ or ""
    found: dict[str, _Source] = {}
    for index in (here / INDEX, *sorted(here.glob(f"*/{INDEX}"))):
        folder = index.parent
        inside = package if folder == here else f"{package}.{folder.name}"
        for stem, names in tomllib.loads(index.read_text(encoding="utf-8")).items():
            found.update({name: _Source(inside, folder, stem) for name in names})
    return found


def categories(of: Literal["all", "arena", "knowledge"] = "all") -> tuple[str, ...]:
    """Names of all categories, or of those made for VLA-Arena and LIBERO or for the knowledge suite alone, sorted."""
    drawn = {name for name, source in _sources().items() if source.package != __package__}
    others = (_sources().keys() | _entries.keys()) - drawn
    return tuple(sorted({"arena": others, "knowledge": drawn, "all": others | drawn}[of]))


def looks_of(name: str) -> dict[str, tuple[str, ...] | None]:
    """Return what may be asked for of a category besides the seed, with the allowed values (None: any text)."""
    return dict(_entry(name).looks)


def _entry(name: str) -> _Entry:
    if name not in _entries:
        source = _sources().get(name)
        if source is None:
            near = did_you_mean(name, _sources().keys() | _entries.keys())
            raise ProctorError(f"unknown asset category {name!r}{near}; see `proctor assets ls`")
        if source.stem.startswith("_"):
            import_module(f"{source.package}.{source.stem}")
        else:
            recipe = family(source.folder / f"{source.stem}.toml", source.package).recipes[name]
            _entries[name] = _Entry(recipe, recipe.nouns, recipe.looks)
    return _entries[name]


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
    made = entry.maker(named_rng(seed, "asset", name), **_checked(name, entry.looks, look))
    nouns = (*made.nouns, *(noun for noun in entry.nouns if noun not in made.nouns))
    return replace(made, category=name, seed=seed, look=look, nouns=nouns)
