"""Hashes are of products: what is compiled, what is drawn, the code that is run; not of files, their names, or words.

Each law is shown on a copy of the package that is really edited, by a fresh interpreter that imports the copy.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import proctor
from proctor.assets import categories
from proctor.core import digest_of
from proctor.tasks.suites import builtin_suites, task_of, tasks_of

PACKAGE = Path(proctor.__file__).parent
PLATE = "goal/L0/put_the_bowl_on_the_plate"
MUG_MASS = "2200.0 * (pi * r ** 2 * MUG_FLOOR_M"
HEAVIER_MUGS = (MUG_MASS, MUG_MASS.replace("2200", "2300"))
QUESTIONS = ("text", "start", "noop", "random", "expert", "reckless", "unique")
# Every hash that enters a run folder or the key of an answer, of all task files and of two drawn episodes.
SCRIPT = f"""
import json
from proctor.core import simulator_code
from proctor.policies import load_policy
from proctor.run.certificates import question_code
from proctor.WORLD import SimEnv, things_digest
from proctor.tasks.suites import builtin_suites, find, task_of, tasks_of
files = [ref for suite in builtin_suites() for ref in tasks_of(suite) if not ref.family]
drawn = [task_of(find(name)[0].path, 3, 0) for name in ("P01", "P02")]
print(json.dumps({{
    "things": {{ref.id: things_digest(task_of(ref.path), (0,)) for ref in files}},
    "texts": {{ref.id: task_of(ref.path).text_hash for ref in files}},
    "drawn": [[task.text_hash, things_digest(task, (0,))] for task in drawn],
    "policies": {{name: load_policy(name).spec().fingerprint for name in ("noop", "random", "expert", "reckless")}},
    "simulator": simulator_code(SimEnv),
    "questions": {{name: question_code(name) for name in {QUESTIONS!r}}},
}}))
"""


@dataclass(frozen=True)
class Copy:
    """A copy of the package and what it says."""

    root: Path

    @property
    def package(self) -> Path:
        return self.root / "proctor"

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, *arguments], env=environment, cwd=self.root, capture_output=True, text=True, check=False
        )

    def hashes(self, world: str = "sim") -> dict[str, Any]:
        done = self.python("-c", SCRIPT.replace("WORLD", world))
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def run(self, task: str, policy: str, episodes: int = 1) -> subprocess.CompletedProcess[str]:
        count = str(episodes)
        steps = ["--max-steps", "3", "-n", count, "--limit", count, "--out", str(self.root / "run")]
        return self.python("-m", "proctor", "run", task, "-p", policy, *steps)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.package / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    shutil.copytree(PACKAGE, tmp_path / "proctor", ignore=shutil.ignore_patterns("__pycache__"))
    return Copy(tmp_path)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("before")
    (folder / "proctor").symlink_to(PACKAGE)
    return Copy(folder).hashes()


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    return {name for name in before if before[name] != after[name]}


# -- what changes nothing ------------------------------------------------------------------------------------------
def _reformat(package: Path) -> None:
    """Write every module anew from its syntax tree, without comments, with other words in every docstring."""
    for path in package.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node, clean=False):
                node.body[0] = ast.Expr(ast.Constant("In other words."))
        path.write_text(ast.unparse(tree), encoding="utf-8")


def _rename(package: Path, old: str, new: str) -> None:
    """Rename a module or package, and its name wherever it is imported."""
    source = package / old.replace(".", "/")
    source = source if source.is_dir() else source.with_suffix(".py")
    words = [name.rpartition(".")[2] for name in (old, new)]
    source.rename(source.with_name(words[1] + source.suffix))
    for path in package.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        text = re.sub(rf"\bproctor\.{re.escape(old)}\b", f"proctor.{new}", text)
        text = re.sub(rf"(from \.+){words[0]}\b", rf"\g<1>{words[1]}", text)
        text = re.sub(rf"(from \.+ import (?:[\w, ]+, )?){words[0]}\b", rf"\g<1>{words[1]} as {words[0]}", text)
        path.write_text(text.replace(f"'{words[0]}'", f"'{words[1]}'") if path.stem == "_registry" else text, "utf-8")


def test_form_words_names_and_places_of_our_source_change_no_hash(copy: Copy, before: dict[str, Any]) -> None:
    first = copy.run(PLATE, "expert")
    assert first.returncode == 0, first.stderr
    _reformat(copy.package)
    again = copy.run(PLATE, "expert")
    assert again.returncode == 0, again.stderr
    assert len((copy.root / "run" / "episodes.jsonl").read_text().splitlines()) == 1, "the run is complete as it is"
    _rename(copy.package, "assets._hollow", "assets._inside")
    _rename(copy.package, "policies.scripted._arm", "policies.scripted._limb")
    _rename(copy.package, "policies.scripted.skills._strike", "policies.scripted.skills._blow")
    _rename(copy.package, "sim._contacts", "sim._touching")
    _rename(copy.package, "sim", "worlds")
    assert copy.hashes("worlds") == before


# -- what changes what it should -----------------------------------------------------------------------------------
def test_what_a_mug_weighs_changes_the_tasks_with_mugs_and_nothing_else(copy: Copy, before: dict[str, Any]) -> None:
    mugs = {name for name in categories() if name.endswith("_mug")}
    refs = [ref for suite in builtin_suites() for ref in tasks_of(suite) if not ref.family]
    with_mugs = {ref.id for ref in refs if mugs & {entity.category for entity in task_of(ref.path).objects}}
    assert 0 < len(with_mugs) < len(refs)
    copy.edit("assets/crockery.toml", *HEAVIER_MUGS)
    after = copy.hashes()
    assert changed(before["things"], after["things"]) == with_mugs
    assert changed(before, after) == {"things"}


def test_code_changes_the_hashes_of_those_who_run_it(copy: Copy, before: dict[str, Any]) -> None:
    copy.edit("policies/scripted/skills/_pour.py", "WANTED = 0.6", "WANTED = 0.7")
    skill = copy.hashes()
    assert changed(before, skill) == {"policies"}
    assert changed(before["policies"], skill["policies"]) == {"expert", "reckless"}
    copy.edit("sim/predicates/up.py", "LIFT_M = 0.10", "LIFT_M = 0.11")
    rule = copy.hashes()
    assert changed(skill, rule) == {"simulator", "questions"}
    assert changed(skill["questions"], rule["questions"]) == set(QUESTIONS) - {"text", "unique"}
    copy.edit("tasks/knowledge/_text.py", "(:domain robosuite)", "(:domain another)")
    drawn = copy.hashes()
    assert changed(rule, drawn) == {"drawn", "questions"}
    assert changed(rule["questions"], drawn["questions"]) == {"unique"}, "other questions are asked of the texts"


# -- run folders ---------------------------------------------------------------------------------------------------
def test_an_expert_that_returns_zeros_does_not_go_on_in_an_old_folder(copy: Copy) -> None:
    assert copy.run(PLATE, "expert").returncode == 0
    name = "policies/scripted/_policy.py"
    copy.edit(
        name, '        """Return the next action;', '        return np.zeros(7)\n        """Return the next action;'
    )
    refused = copy.run(PLATE, "expert", 2)
    assert refused.returncode != 0
    (line,) = refused.stderr.strip().splitlines()
    assert "has another policy fingerprint ('expert-" in line


def test_other_things_and_other_drawn_texts_do_not_go_on_in_an_old_folder(copy: Copy) -> None:
    assert copy.run(PLATE, "noop").returncode == 0
    copy.edit("assets/crockery.toml", *HEAVIER_MUGS)
    assert copy.run(PLATE, "noop").returncode == 0, "there is no mug in it"
    copy.edit("assets/_mjcf.py", "SOLREF = (0.006", "SOLREF = (0.007")
    refused = copy.run(PLATE, "noop")
    assert refused.returncode != 0
    assert "the things of task" in refused.stderr
    shutil.rmtree(copy.root / "run")
    assert copy.run("P01", "noop").returncode == 0
    copy.edit("tasks/knowledge/_text.py", "(:domain robosuite)", "(:domain another)")
    refused = copy.run("P01", "noop")
    assert refused.returncode != 0
    (line,) = refused.stderr.strip().splitlines()
    assert "is drawn differently now; choose another --out" in line


# -- digests of data -----------------------------------------------------------------------------------------------
def test_a_digest_forgets_the_last_bits_and_nothing_more() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        values = rng.normal(size=7) * 10.0 ** rng.integers(-6, 6)
        noise = 1.0 + 1e-14 * rng.uniform(-1, 1, size=7)
        assert digest_of([values, float(values[0])]) == digest_of([values * noise, float(values[0] * noise[0])])
        index = rng.integers(7)
        other = values.copy()
        other[index] *= 1.0 + 1e-4
        assert digest_of(values) != digest_of(other)
    assert digest_of(0.0) == digest_of(-1e-17)
    assert digest_of(1.0) != digest_of("1.0")
    assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})
    assert digest_of([["a"], "b"]) != digest_of(["a", ["b"]])
