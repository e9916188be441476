"""Recipes: objects as data. A family is a TOML file; each of its tables says how one thing is made, in order.

    [candle]
    about = "Burning pillar candle."
    nouns = ["candle"]                                    # words; only a table with nouns is a category
    r = "uniform(0.020, 0.024)"                           # drawn: every number of an instance comes from its own stream
    curve = "[(0, 0), (r, 0.001), (r, h), (0, h)]"        # formulas use what stands above them
    image = ["plain(wax, 64, 64)", "speckle(image, ...)"] # layers: formulas one after the other, under one name
    visuals = [{ mesh = "revolve(curve, 22)", rgb = "wax", specular = 0.2, part = "body" }]
    colliders = ["cylinder(r, 0, h, mass)"]               # one formula each, or one that gives several
    radius_m = "r"

Strings are formulas; numbers and arrays of numbers are themselves. A key ``"a, b"`` takes a pair apart. The keys that a
`Asset` has make one, ``plan`` is a whole one that the others change, and ``gives`` is what any other recipe
returns. ``looks`` are what may be asked for (a formula for the allowed values, "" for any text), ``args`` what other
recipes hand over, as ``"name"`` or ``"name = default"``. Recipes call one another by name. ``CONSTANTS`` and ``uses``
at the top hold what all share, and the modules and families whose names formulas may use besides the words of
`VOCABULARY` and the module ``_family`` beside ``family.toml``. What takes ``rng`` first is called without it.
"""

from __future__ import annotations

import dis
import inspect
import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property, partial, reduce
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import Any

import numpy as np

from . import _colliders, _grasps, _hollow, _mesh, _model, _shapes, _texture
from ._model import Asset, Link, Material, Visual

ITEMS = ("visuals", "colliders", "sites", "grasps", "handles", "buttons", "children", "said")
"""Keys that hold several things, each of which a formula gives, or several at once."""
META = ("about", "nouns", "looks", "args")
_LINK = ("visuals", "colliders", "children")
_ASSET = frozenset(field.name for field in fields(Asset)) | {*_LINK, "plan", "said"}
_MATERIAL = frozenset(field.name for field in fields(Material))


def _of_numbers(plain: Callable[..., Any], whole: Callable[..., Any]) -> Callable[..., Any]:
    """One function for numbers and for arrays: the C library's for numbers, NumPy's for arrays."""

    def either(*values: Any) -> Any:
        numbers = all(isinstance(value, float | int) for value in values)
        return (plain if numbers else whole)(*values)

    return either


def _words() -> dict[str, Any]:
    words: dict[str, Any] = {name: getattr(math, name) for name in ("pi", "tau", "radians", "degrees", "prod")}
    for name in ("sin", "cos", "tan", "sqrt", "exp", "hypot", "floor"):
        words[name] = _of_numbers(getattr(math, name), getattr(np, name))
    for name, other in (("asin", "arcsin"), ("acos", "arccos"), ("atan2", "arctan2")):
        words[name] = _of_numbers(getattr(math, name), getattr(np, other))
    for name in [
        "arange",
        "argmax",
        "array",
        "asarray",
        "broadcast_to",
        "clip",
        "concatenate",
        "cumsum",
        "full",
        "hstack",
        "interp",
        "linspace",
        "maximum",
        "mean",
        "meshgrid",
        "mgrid",
        "minimum",
        "repeat",
        "sign",
        "stack",
        "tile",
        "vstack",
        "where",
        "zeros",
        "zeros_like",
        "float32",
        "abs",
    ]:
        words[name] = getattr(np, name)
    words |= {
        "columns": _mesh.columns,
        "joined": lambda *parts: np.r_[parts],
        "put": _put,
        "norm": np.linalg.norm,
        "default_rng": np.random.default_rng,
    }
    words |= {"pairwise": pairwise, "partial": partial, "replace": replace, "fold": reduce, "s_": np.s_}
    builtins = (bool, dict, enumerate, float, int, len, list, max, min, range, reversed, round, sorted, str, sum, tuple)
    words |= {word.__name__: word for word in (*builtins, zip, isinstance)}
    for module in (_colliders, _grasps, _hollow, _mesh, _model, _shapes, _texture):
        words |= {name: value for name, value in vars(module).items() if _is_word(name, value)}
    # NumPy imports parts of itself when they are first needed, by the importer of whoever called it: the recipe.
    return {**words, "None": None, "__builtins__": {"__import__": __import__}}


def _put(array: Any, *changes: tuple[Any, Any]) -> Any:
    """Return a copy of an array with some of its elements changed: (index, value) pairs."""
    out = np.array(array)
    for index, value in changes:
        out[index] = value
    return out


def _is_word(name: str, value: object) -> bool:
    return not (name.startswith("__") or inspect.ismodule(value) or name == "annotations")


VOCABULARY: Mapping[str, Any] = MappingProxyType(_words())
_DRAWN = ("uniform", "integers", "random", "normal", "permutation", "choice")


@dataclass(frozen=True, eq=False)
class Recipe:
    """How one thing is made: called with the instance's stream, its looks and its arguments."""

    name: str
    family: Family
    table: Mapping[str, Any]
    nouns: tuple[str, ...]

    @cached_property
    def steps(self) -> tuple[tuple[str, Any], ...]:
        """What is worked out, in order; read when something is first made."""
        return tuple((key, _step(key, value)) for key, value in self.table.items() if key not in META)

    @cached_property
    def args(self) -> dict[str, Any]:
        """What is handed over, looks first, with the defaults."""
        args: dict[str, Any] = dict.fromkeys(self.table.get("looks", {}), "")
        for text in self.table.get("args", ()):
            key, _, default = text.partition("=")
            args[key.strip()] = eval(default, dict(self.family.shared)) if default else None
        return args

    def __call__(self, rng: np.random.Generator, *given: Any, **named: Any) -> Any:
        names = self.family.names(rng)
        names |= {**self.args, **dict(zip(self.args, given, strict=False)), **named}
        made: dict[str, Any] = {}
        for key, step in self.steps:
            value = names[key] = _value(step, names)
            if "," in key:
                names |= zip((part.strip() for part in key.split(",")), value, strict=True)
            if key in _ASSET:
                made[key] = value
            elif key == "gives":
                return value
        return _asset(made) if made else None

    @property
    def looks(self) -> dict[str, tuple[str, ...] | None]:
        """What may be asked for, with the allowed values."""
        names = dict(self.family.shared)
        return {key: tuple(eval(text, names)) if text else None for key, text in self.table.get("looks", {}).items()}


def _asset(made: dict[str, Any]) -> Asset:
    plan = made.pop("plan", None)
    if "said" in made:
        made["nouns"] = made.pop("said")
    parts = {key: made.pop(key) for key in _LINK if key in made}
    if plan is None:
        made.setdefault("root", Link("root", **parts))
    return Asset(**made) if plan is None else replace(plan, **made)


def _value(step: Any, names: dict[str, Any]) -> Any:
    """Work out a step; what it names is in ``names``."""
    if isinstance(step, CodeType):
        return eval(step, names)
    if isinstance(step, _Items):
        return tuple(_flat(_item(item, names) for item in step.items))
    if isinstance(step, _Layers):
        value = None
        for layer in step.layers:
            value = names[step.name] = eval(layer, names)
        return value
    return step


def _item(item: Any, names: dict[str, Any]) -> Any:
    """Return what one entry of a list gives; a table is something to look at."""
    if not isinstance(item, dict):
        return _value(item, names)
    got = {key: _value(step, names) for key, step in item.items()}
    look = {key: got.pop(key) for key in tuple(got) if key in _MATERIAL}
    if look.get("texture") is not None:
        look["texture"] = _texture.as_image(look["texture"])
    material = got.pop("look", None) or Material(**look)
    return Visual(got.pop("mesh"), material, **got)


def _flat(items: Iterable[Any]) -> Iterable[Any]:
    for item in items:
        if isinstance(item, tuple | list):
            yield from _flat(item)
        elif item is not None:
            yield item


@dataclass(frozen=True, slots=True)
class _Items:
    items: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Layers:
    name: str
    layers: tuple[CodeType, ...]


class Family:
    """A file of recipes, and the names that its formulas know."""

    def __init__(self, path: Path, package: str) -> None:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        self.path, self.package = path, package
        self.shared = dict(VOCABULARY)
        uses = [*data.get("uses", ()), *([f"._{path.stem}"] if (path.parent / f"_{path.stem}.py").exists() else [])]
        for name in uses:
            self.shared |= self._names_of(name)
        constants = data.get("CONSTANTS", {})
        self.shared |= {key: _tuples(value) for key, value in constants.items() if not isinstance(value, str)}
        for key, value in constants.items():
            if isinstance(value, str):
                self.shared[key] = eval(value, self.shared)
        self.recipes = {
            name: Recipe(name, self, table, tuple(table.get("nouns", ())))
            for name, table in data.items()
            if isinstance(table, dict) and name != "CONSTANTS"
        }
        self.shared |= {name: recipe for name, recipe in self.recipes.items() if name not in VOCABULARY}
        self._taking = {name: word for name, word in self.shared.items() if _takes_rng(word)}

    def _names_of(self, name: str) -> dict[str, Any]:
        """Names that a module (``._module``) or another family (``.family``) gives to this one."""
        stem = name.rpartition(".")[2]
        if stem.startswith("_"):
            module = import_module(name, self.package)
            public = getattr(module, "__all__", vars(module))
            return {word: value for word, value in vars(module).items() if word in public and _is_word(word, value)}
        folder = self.path.parent.parent if name.startswith("..") else self.path.parent
        other = family(folder / f"{stem}.toml", self.package.rpartition(".")[0] if name[1] == "." else self.package)
        return {word: value for word, value in other.shared.items() if word not in VOCABULARY}

    def names(self, rng: np.random.Generator) -> dict[str, Any]:
        """Names for one instance: what draws is bound to its stream."""
        bound = {name: partial(word, rng) for name, word in self._taking.items()}
        names = {**self.shared, **bound, **{name: getattr(rng, name) for name in _DRAWN}}

        def call(what: Any, *given: Any) -> Any:
            """Call a word by its name, or one that a table holds."""
            word = names[what] if isinstance(what, str) else what
            return word(rng, *given) if _takes_rng(word) else word(*given)

        names["call"] = call
        return names


def _step(key: str, value: Any) -> Any:
    if isinstance(value, str):
        return _formula(value)
    if key in ITEMS:
        return _Items(tuple(_entry(item) for item in value))
    if isinstance(value, list) and value and all(isinstance(item, str | dict) for item in value):
        return _Layers(key, tuple(_formula(_text(item)) for item in value))
    return _tuples(value)


def _entry(item: Any) -> Any:
    if isinstance(item, dict):
        return {key: value if key == "part" else _step(key, value) for key, value in item.items()}
    return _formula(item)


def _formula(text: str) -> CodeType:
    try:
        return compile(f"({text.strip()})", "recipe", "eval")
    except SyntaxError as error:
        raise SyntaxError(f"{error.msg} in the formula {text!r}") from None


def _text(item: str | dict[str, Any]) -> str:
    """The formula of a layer; ``{ each = "side in (-1, 1)", parts = [...] }`` are several, repeated."""
    return item if isinstance(item, str) else f"[({', '.join(item['parts'])},) for {item['each']}]"


def _tuples(value: Any) -> Any:
    """Arrays of a TOML file as tuples."""
    if isinstance(value, list):
        return tuple(_tuples(item) for item in value)
    return {key: _tuples(item) for key, item in value.items()} if isinstance(value, dict) else value


def _takes_rng(word: Any) -> bool:
    """Whether something called in a formula takes the instance's stream first."""
    if isinstance(word, Recipe):
        return True
    try:
        return next(iter(inspect.signature(word).parameters), "") == "rng" if callable(word) else False
    except ValueError:
        return False


@cache
def family(path: Path, package: str) -> Family:
    return Family(path, package)


def unknown_words(recipe: Recipe) -> set[str]:
    """Return the names in a recipe's formulas that nothing gives: what would fail when it is made."""
    drawn = {*recipe.family.shared, *_DRAWN, "call"}
    known = drawn | set(recipe.args) | {part.strip() for key, _ in recipe.steps for part in key.split(",")}
    return {name for _, step in recipe.steps for code in _codes(step) for name in _globals(code)} - known


def _codes(step: Any) -> Iterable[CodeType]:
    if isinstance(step, CodeType):
        yield step
    parts = step.items if isinstance(step, _Items) else step.layers if isinstance(step, _Layers) else ()
    for part in step.values() if isinstance(step, dict) else parts:
        yield from _codes(part)


def _globals(code: CodeType) -> set[str]:
    """Names that a formula and the lambdas in it look up, without what they read of something (``v.part``)."""
    used = {word.argval for word in dis.get_instructions(code) if word.opname in ("LOAD_NAME", "LOAD_GLOBAL")}
    return used.union(*(_globals(inner) for inner in code.co_consts if isinstance(inner, CodeType)))
