"""A digest of code by what it means: the definitions that are reached from some, wherever they stand.

Read from the syntax trees of this package. A name in a statement is followed to what defines it, through imports and
re-exports, and so on. Layout, comments, docstrings, texts of errors, and the names and places of modules do not enter;
a renamed function or a changed number does. What is found at run time counts where it registers itself: a function
that writes into a table that is reached is reached, and so is everything that it decorates. Of a data file that is
named in a statement (``"cues.json"``; ``".json"`` for all beside the module), the content enters.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from ._digest import digest_of, kept_digest
from ._errors import ProctorError

PACKAGE = __name__.partition(".")[0]
_OURS = re.compile(rf"{PACKAGE}(\.\w+)+(:[\w.]+)?")
_DATA = re.compile(r"[\w*-]*(\.json|\.toml|\.csv|\.tsv|\.npz)")
_WRITES = {"add", "append", "extend", "insert", "setdefault", "update"}
_EVERYTHING = "*"

Definition: TypeAlias = tuple[str, str]
"""Module and name; an empty name is the module itself, an empty module something that is not ours."""


def code_digest(root: Any, *, without: Iterable[str] = (), beyond: str = "") -> str:
    """Return 16 hexadecimal digits over the code that is reached from a class or function.

    ``without``: dotted names of definitions and packages that something else accounts for; only their names enter.
    ``beyond``: the dotted name of a definition; what is reached from that as well is left out. Of a class that is not
    of this package, its bases that are ours count.
    """
    return _once(tuple(sorted(set(_starts(root)))), tuple(sorted(without)), beyond)


@cache
def _once(starts: tuple[Definition, ...], stops: tuple[str, ...], beyond: str) -> str:
    key = ("code", source_digest(), str(sys.version_info[:2]), *map(":".join, starts), "without", *stops, beyond)
    return kept_digest(key, lambda: _Walk(stops, beyond).digest(starts))


def _starts(root: Any) -> Iterator[Definition]:
    for item in root.__mro__ if isinstance(root, type) else (root,):
        if item.__module__.partition(".")[0] == PACKAGE:
            yield item.__module__, item.__qualname__.partition(".")[0]


# -- sources -------------------------------------------------------------------------------------------------------
def _root() -> Path:
    return Path(str(sys.modules[PACKAGE].__file__)).resolve().parent


@cache
def _sources() -> dict[str, tuple[Path, bytes]]:
    """Return the modules of the package by dotted name."""
    found = {}
    for path in sorted(_root().rglob("*.py")):
        parts = (PACKAGE, *path.relative_to(_root()).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = (path, path.read_bytes())
    return found


@cache
def source_digest() -> str:
    """Return a hash of all bytes of our source: a key under which derived digests are kept, never part of one."""
    digest = hashlib.sha256()
    for name, (_, text) in _sources().items():
        digest.update(name.encode() + hashlib.sha256(text).digest())
    for path in sorted(path for path in _root().rglob("*") if _DATA.fullmatch(path.name)):
        digest.update(str(path.relative_to(_root())).encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _content(path: Path) -> str:
    text = path.read_bytes()
    if path.suffix in (".json", ".toml"):
        values = json.loads(text) if path.suffix == ".json" else tomllib.loads(text.decode())
        if isinstance(values, dict):
            # A note on where a table comes from is a comment.
            values.pop("source", None)
        text = json.dumps(values, sort_keys=True, default=str).encode()
    return _hash(text)


def _hash(text: str | bytes) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text).hexdigest()


class _Module:
    """The statements of a module, what each binds, and where its names come from."""

    def __init__(self, name: str, path: Path, source: bytes) -> None:
        self.name, self.folder = name, path.parent
        self.imports: dict[str, str] = {}
        self.binds: dict[str, list[int]] = {}
        self.effects: list[int] = []
        tree = ast.parse(source, str(path))
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.partition(".")[0]
                    self.imports[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom):
                above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
                base = ".".join([*above, *([node.module] if node.module else [])])
                self.imports |= {alias.asname or alias.name: f"{base}:{alias.name}" for alias in node.names}
        self.statements = [node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom))]
        for index, node in enumerate(self.statements):
            names = _bound(node)
            for bound in names:
                self.binds.setdefault(bound, []).append(index)
            plain = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or (
                isinstance(node, (ast.Assign, ast.AnnAssign)) and names
            )
            if not plain:
                self.effects.append(index)

    def dotted(self, node: ast.AST) -> str | None:
        """Return the dotted name that an imported name, or something in an imported module, stands for."""
        if isinstance(node, ast.Name):
            return self.imports.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value)
            if base is not None:
                module, name = _find(base)
                return None if module and name else f"{module}:{node.attr}" if module else f"{name}.{node.attr}"
        return None

    def target(self, node: ast.AST) -> Definition | None:
        """Return what a name in this module stands for, if that is a definition or something imported."""
        dotted = self.dotted(node)
        if dotted is not None:
            return _find(dotted)
        if isinstance(node, ast.Name) and node.id in self.binds:
            return self.name, node.id
        return None


def _bound(node: ast.stmt) -> list[str]:
    """Return the names that a statement of a module binds."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = [item.id for item in ast.walk(node) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)]
    names += [item.name for item in ast.walk(node) if isinstance(item, inner)]
    return [name for name in dict.fromkeys(names) if name != "__all__"]


@cache
def _module(name: str) -> _Module:
    return _Module(name, *_sources()[name])


@cache
def _find(dotted: str) -> Definition:
    """Follow a dotted name to where it is defined; a colon stands before what is in a module."""
    base, colon, name = dotted.partition(":")
    if base.partition(".")[0] != PACKAGE:
        return "", dotted.replace(":", ".")
    if not colon:
        if base in _sources():
            return base, ""
        head, _, name = base.rpartition(".")
        return _find(f"{head}:{name}")
    if base not in _sources():
        return base, name
    module, inside = _module(base), f"{base}.{name}"
    elsewhere = module.imports.get(name)
    if name in module.binds:
        return base, name
    if elsewhere is not None and elsewhere not in (dotted, inside):
        return _find(elsewhere)
    return (inside, "") if inside in _sources() else (base, name)


# -- meaning -------------------------------------------------------------------------------------------------------
class _Meaning:
    """The text of a statement without what does not matter, and the definitions that it names."""

    def __init__(self, module: _Module, node: ast.stmt) -> None:
        self._module = module
        self._silent = False
        self.names: set[Definition] = set()
        self.text = self._of(node)

    def _of(self, node: Any) -> str:
        if isinstance(node, list):
            return "[" + ",".join(filter(None, map(self._of, node))) + "]"
        if isinstance(node, ast.Constant):
            return self._constant(node.value)
        if not isinstance(node, ast.AST):
            return repr(node)
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)):
            return ""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return ""
        if isinstance(node, ast.If) and getattr(node.test, "id", getattr(node.test, "attr", "")) == "TYPE_CHECKING":
            return ""
        target = self._module.target(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
        if target is not None:
            self.names.add(target if target[1] else (target[0], _EVERYTHING))
            return f"@{target[1]}"
        before, self._silent = self._silent, self._silent or isinstance(node, ast.Raise)
        parts = [
            f"{name}={self._of(value)}"
            for name, value in ast.iter_fields(node)
            if value is not None and value != [] and name not in ("ctx", "kind", "type_comment")
        ]
        self._silent = before
        return f"{type(node).__name__}({','.join(parts)})"

    def _constant(self, value: Any) -> str:
        if isinstance(value, str):
            if self._silent:
                return "text"
            if _OURS.fullmatch(value):
                return f"@{value.partition(':')[2]}"
            if _DATA.fullmatch(value):
                pattern = value if value.partition(".")[0] else f"*{value}"
                return f"data{sorted(map(_content, self._module.folder.rglob(pattern)))}"
        return f"{type(value).__name__} {value!r}"


@cache
def _meaning(module: str, index: int) -> _Meaning:
    found = _module(module)
    return _Meaning(found, found.statements[index])


@cache
def _alone(definition: Definition) -> str:
    """Return a hash of the statements that bind a name, without what they name in turn."""
    module, name = definition
    if not module or name == _EVERYTHING:
        return name
    return _hash("\n".join(_meaning(module, index).text for index in _module(module).binds.get(name, ())))


def _known(dotted: str) -> Definition:
    module, name = _find(dotted)
    if module not in _sources() or (name and name not in _module(module).binds):
        raise ProctorError(f"no code is called {dotted}")
    return module, name


class _Walk:
    """Collects the statements that are reached from some definitions."""

    def __init__(self, stops: Iterable[str], beyond: str = "") -> None:
        found = [_known(stop) for stop in stops]
        self._stops = {definition for definition in found if definition[1]}
        self._closed = [module for module, name in found if not name]
        self._seen: set[Definition] = set()
        self._reached: set[tuple[str, int]] = set()
        self._queue: list[Definition] = []
        self._theirs: set[tuple[str, int]] = set()
        if beyond:
            other = _Walk(stops)
            other.digest([_known(beyond)])
            self._theirs = other._reached

    def digest(self, starts: Iterable[Definition]) -> str:
        """Return the digest of what is reached."""
        self._queue += starts
        while self._queue:
            self._visit(self._queue.pop())
            if not self._queue:
                self._queue += [new for new in self._registered() if new not in self._seen]
        return _hash("\n".join(sorted({self._statement(*place) for place in self._reached})))[:16]

    def _stopped(self, definition: Definition) -> bool:
        module, name = definition
        if definition in self._stops or any(module == one or module.startswith(f"{one}.") for one in self._closed):
            return True
        places = [(module, index) for index in _module(module).binds.get(name, ())] if self._theirs and module else []
        return bool(places) and self._theirs.issuperset(places)

    def _visit(self, definition: Definition) -> None:
        module, name = definition
        if definition in self._seen or not module or self._stopped(definition):
            return
        self._seen.add(definition)
        found = _module(module)
        indices = range(len(found.statements)) if name == _EVERYTHING else (*found.binds.get(name, ()), *found.effects)
        for index in indices:
            if (module, index) not in self._reached and (module, index) not in self._theirs:
                self._reached.add((module, index))
                self._queue += _meaning(module, index).names

    def _statement(self, module: str, index: int) -> str:
        meaning = _meaning(module, index)
        names = [f"{name}={'' if self._stopped((of, name)) else _alone((of, name))}" for of, name in meaning.names]
        return _hash("\n".join([meaning.text, *sorted(names)])) if meaning.text else ""

    def _registered(self) -> Iterator[Definition]:
        """Yield the functions that write into tables that were reached, and what they decorate."""
        writers = {writer for reached in self._seen for writer in _writers(reached) if not self._stopped(writer)}
        for writer in sorted(writers):
            yield writer
            yield from _decorated(writer)


@cache
def _writers(table: Definition) -> tuple[Definition, ...]:
    """Return the functions beside a table that write into it."""
    module, name = table
    found = _module(module)
    statements = [found.statements[index] for index in found.binds.get(name, ())]
    if not any(isinstance(node, (ast.Assign, ast.AnnAssign)) for node in statements):
        return ()
    functions = [node for node in found.statements if isinstance(node, ast.FunctionDef)]
    return tuple((module, node.name) for node in functions if _writes(node, name))


def _writes(function: ast.FunctionDef, table: str) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            written: ast.AST = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _WRITES:
            written = node.func.value
        else:
            continue
        if isinstance(written, ast.Name) and written.id == table:
            return True
    return False


@cache
def _decorated(decorator: Definition) -> tuple[Definition, ...]:
    """Return the definitions of the package that a function decorates."""
    found = []
    for name, (_, text) in _sources().items():
        if f"@{decorator[1]}".encode() not in text:
            continue
        module = _module(name)
        for node in module.statements:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                calls = [item.func if isinstance(item, ast.Call) else item for item in node.decorator_list]
                if any(module.target(call) == decorator for call in calls):
                    found.append((name, node.name))
    return tuple(found)


__all__ = ["code_digest", "source_digest"]


# Which code makes what: the boundaries of the fingerprints.
#
# Objects are accounted for by what they compile to, drawn episodes by their text, so that neither their makers nor the
# generator count; and of a policy, what it runs beyond the simulator does. A certificate adds them up (``check``).

MAKERS = (
    *(f"proctor.assets.{name}" for name in ("asset_digest", "categories", "category", "make")),
    *(f"proctor.core.{name}" for name in ("digest_of", "policy_code", "simulator_code")),
    "proctor.__version__",
)
"""What makes objects by their names, what makes digests, and the version, which rows name."""
PRODUCTS = (*MAKERS, "proctor.tasks.knowledge.draw")
_NOT_THEIRS = {PACKAGE, "builtins", "typing", "abc"}
_SIMULATOR = "proctor.sim.SimEnv"


def policy_code(policy: type) -> str:
    """Return 16 hexadecimal digits over the code that a policy of ours runs, the simulator's left out.

    A class of another package that is made from one of ours adds its own statements.
    """
    ours = code_digest(policy, without=PRODUCTS, beyond=_SIMULATOR)
    theirs = [_statements(item) for item in policy.__mro__ if item.__module__.partition(".")[0] not in _NOT_THEIRS]
    return ours if not theirs else digest_of([ours, *theirs])


def _statements(defined: type) -> str:
    try:
        return ast.unparse(ast.parse(textwrap.dedent(inspect.getsource(defined))))
    except (OSError, TypeError, SyntaxError):
        return ""


@cache
def simulator_code(simulator: type) -> str:
    """Return 16 hexadecimal digits over the code of the simulator."""
    return code_digest(simulator, without=PRODUCTS)
