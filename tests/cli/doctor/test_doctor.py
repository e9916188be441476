"""The doctor on this machine, and on machines with one thing wrong."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from proctor.cli.doctor import (
    DoctorFinding,
    Probe,
    check_cache,
    check_cpu,
    check_disk,
    check_extras,
    check_fonts,
    check_gl,
    check_memory,
    check_packages,
    check_python,
    check_robot,
    probe,
    satisfies,
)

PROCTOR = Path(sys.executable).parent / "proctor"


def _doctor(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run([PROCTOR, "doctor", *arguments], env=environment, capture_output=True, text=True, check=False)


def test_json_has_one_finding_per_check_and_the_exit_code_follows_the_worst() -> None:
    done = _doctor("--json")
    findings = json.loads(done.stdout)
    names = [finding["name"] for finding in findings]
    assert {"python", "cpu", "memory", "disk", "extras", "robot", "cache", "fonts", "ffmpeg", "gl"} <= set(names)
    assert all(set(finding) == {"level", "name", "text", "fix"} for finding in findings)
    assert done.returncode == any(finding["level"] == "problem" for finding in findings)


def test_a_problem_is_shown_with_its_fix_and_fails(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = _doctor(PROCTOR_CACHE=str(blocked / "cache"))
    assert done.returncode == 1
    assert "problem  cache" in done.stdout
    assert "→ set PROCTOR_CACHE to a writable folder" in done.stdout


def test_a_finding_says_how_to_fix_exactly_when_something_is_wrong() -> None:
    with pytest.raises(ValueError, match="must say how to fix it"):
        DoctorFinding("warning", "x", "text")
    with pytest.raises(ValueError, match="must not say"):
        DoctorFinding("ok", "x", "text", "do something")


def test_old_python_is_a_problem() -> None:
    assert check_python((3, 10, 14)).level == "problem"
    assert check_python((3, 11, 0)).level == "ok"


@pytest.mark.parametrize(("free_gb", "level"), [(0.1, "problem"), (2.0, "warning"), (50.0, "ok")])
def test_disk(free_gb: float, level: str) -> None:
    assert check_disk(free_gb=free_gb).level == level


def test_cpu_and_memory(tmp_path: Path) -> None:
    assert check_cpu(1).level == "warning"
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 9000000 kB\nMemAvailable:   900000 kB\n")
    assert check_memory(meminfo) == DoctorFinding(
        "warning", "memory", "0.9 GB available", "close other programs or use --workers 1"
    )
    assert check_memory(tmp_path / "missing").level == "warning"


def test_fonts_are_found_in_folders_and_else_inside_pillow(tmp_path: Path) -> None:
    assert "Pillow" in check_fonts((str(tmp_path),)).text
    (tmp_path / "Some.ttf").write_bytes(b"")
    assert check_fonts((str(tmp_path),)).text.startswith("Some and others")


def test_packages_that_are_missing_or_of_another_version() -> None:
    versions = {"mujoco": "4.0.0", "numpy": "2.1.3"}

    def version_of(name: str) -> str:
        if name not in versions:
            raise importlib.metadata.PackageNotFoundError(name)
        return versions[name]

    wanted = ["mujoco==3.17.0", "numpy<3,>=1.26", "robopal==0.4.1", "pytest>=8; extra == 'dev'"]
    by_name = {finding.name: finding for finding in check_packages(wanted, version_of)}
    assert by_name["mujoco"].fix == "run: pip install 'mujoco==3.17.0'"
    assert by_name["robopal"].text == "not installed"
    assert by_name["packages"].text == "numpy 2.1.3"
    assert "pytest" not in by_name


def test_extras_that_are_whole_absent_or_of_another_version() -> None:
    installed = {"spacy": "4.0", "ray": "2.41.0", "pyserial": "3.5"}

    def version_of(name: str) -> str:
        if name not in installed:
            raise importlib.metadata.PackageNotFoundError(name)
        return installed[name]

    wanted = ["numpy>=1", "ray<3,>=2.40; extra == 'ray'", 'spacy==3.8.18; extra == "language"']
    wanted += ["pyserial>=3.5; extra == 'station'", "fastapi; extra == 'station'", "pytest; extra == 'dev'"]
    wrong, told = check_extras(wanted, version_of)
    assert (wrong.level, wrong.name, wrong.fix) == ("warning", "spacy", "run: pip install 'proctor[language]'")
    assert (told.level, told.text) == (
        "ok",
        "installed: ray, language; not installed: station (pip install 'proctor[station]')",
    )
    assert [finding.text for finding in check_extras(["numpy>=1"], version_of)] == ["installed: none"]


versions = st.lists(st.integers(0, 30), min_size=1, max_size=4).map(lambda parts: ".".join(map(str, parts)))
clauses = st.lists(st.tuples(st.sampled_from(["==", ">=", "<=", "!=", "<", ">"]), versions), max_size=3)


@given(versions, clauses)
def test_version_clauses_mean_what_packaging_says(installed: str, wanted: list[tuple[str, str]]) -> None:
    text = ",".join(operator + version for operator, version in wanted)
    assert satisfies(installed, text) == SpecifierSet(text).contains(Version(installed))


def test_robot_wheel_missing_or_damaged(tmp_path: Path) -> None:
    assert check_robot(lambda name: None).level == "problem"
    damaged = check_robot(lambda name: SimpleNamespace(submodule_search_locations=[str(tmp_path)]))
    assert damaged.level == "problem"
    assert "panda.xml is missing" in damaged.text


def test_cache_is_made_and_an_unwritable_one_is_reported(tmp_path: Path) -> None:
    assert "made on first use" in check_cache(tmp_path / "new").text
    (tmp_path / "new" / "panda-0123").mkdir()
    assert "ready" in check_cache(tmp_path / "new").text
    (tmp_path / "file").write_text("")
    assert check_cache(tmp_path / "file" / "cache").level == "problem"


def _machine(**works: bool) -> tuple[list[str], object]:
    asked: list[str] = []

    def try_backend(backend: str) -> Probe:
        asked.append(backend)
        return Probe(backend, works.get(backend, False), "llvmpipe" if works.get(backend) else "no display")

    return asked, try_backend


@pytest.mark.parametrize(
    ("chosen", "works", "level", "fix"),
    [
        ("egl", {"egl": True}, "ok", ""),
        ("glfw", {"egl": True}, "problem", "run: export MUJOCO_GL=egl"),
        ("egl", {"osmesa": True}, "problem", "run: export MUJOCO_GL=osmesa"),
        ("", {"egl": True, "osmesa": True}, "ok", ""),
        ("", {"osmesa": True}, "warning", "run: export MUJOCO_GL=osmesa"),
        ("egl", {}, "problem", "run: sudo apt-get install libegl1 libgl1-mesa-dri libosmesa6"),
    ],
)
def test_which_back_end_to_recommend(chosen: str, works: dict[str, bool], level: str, fix: str) -> None:
    asked, try_backend = _machine(**works)
    finding = check_gl(try_backend, chosen)  # type: ignore[arg-type]
    assert (finding.level, finding.fix) == (level, fix)
    assert len(asked) == len(set(asked)), "no back end is tried twice"


def test_probe_really_draws_and_reports_a_back_end_that_does_not_exist() -> None:
    bad = probe("no_such_backend")
    assert not bad.works
    assert "no_such_backend" in bad.detail
    good = probe(os.environ.get("MUJOCO_GL", "egl"))
    assert good.works, good.detail
