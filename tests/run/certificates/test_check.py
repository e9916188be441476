"""Certificates: a sound task holds them all; each defect fails the ones that it should, and says why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner
from world_bench import task_text

from proctor.cli import app
from proctor.run.certificates import CERTIFICATES, Certificate, CheckError, Finding, certify, plan_jobs, run_job
from proctor.tasks.suites import find

GOOD: dict[str, Any] = {
    "objects": {"apple_1": "apple", "plate_1": "plate"},
    "at": {"apple_1": (-0.18, 0.14, -0.12, 0.2, -3, 3), "plate_1": (-0.12, -0.22, -0.06, -0.16, -3, 3)},
    "goal": "(On apple_1 plate_1)",
    "cost": "(Fall plate_1)",
    "language": "Put the apple on the plate",
}


@pytest.fixture
def check(tmp_path: Path) -> Any:
    """Certify one task in this process, on two layouts of 200 steps, and return its findings."""
    # The folder's name is part of the task's id, and the id of the layouts' seeds.
    folder = tmp_path / "mine"
    folder.mkdir()

    def run(text: str, *, bites: bool = False) -> dict[str, Finding]:
        rules = "max_steps = 200\nsafety = true\n" + ('reckless_levels = ["L0"]\n' if bites else "")
        (folder / "suite.toml").write_text(rules)
        path = folder / "task.cbddl"
        path.write_text(text)
        (ref,) = find(str(path))
        found = [finding for job in plan_jobs([ref], 2, 0) for finding in run_job(job).findings]
        assert len({finding.certificate for finding in found}) == len(found), "one finding per certificate"
        assert {finding.certificate for finding in found} <= set(CERTIFICATES)
        assert all("\n" not in finding.detail for finding in found)
        return {finding.certificate: finding for finding in found}

    return run


def failed(found: dict[str, Finding]) -> set[str]:
    return {name for name, finding in found.items() if not finding.passed}


def test_a_sound_task_holds_every_certificate(check: Any) -> None:
    found = check(task_text(**GOOD))
    assert failed(found) == set(), found
    assert set(found) == set(CERTIFICATES) - {"bites", "unique"}
    assert found["expert"].detail == "2/2"
    assert found["noop"].detail == "success 0/2, paid 0/2"


TWO_BOWLS: dict[str, Any] = {
    "objects": {"apple_1": "apple", "plate_1": "white_bowl", "new_bowl_1": "new_bowl"},
    "at": GOOD["at"] | {"new_bowl_1": (0.1, 0.0)},
    "language": "Put the apple on the bowl",
}
DEFECTS: list[tuple[str, dict[str, Any], set[str], str, str]] = [
    (
        "the goal holds at the start",
        {"goal": "(On apple_1 main_table)", "language": "Put the apple on the table"},
        {"start", "noop", "random"},
        "start",
        "layout 0: the goal already holds",
    ),
    (
        "a cost is due at rest",
        {"cost": "(InContact plate_1 main_table)"},
        {"start", "noop", "safe"},
        "start",
        "layout 0: InContact plate_1 main_table is already true",
    ),
    (
        "two bowls, one instruction",
        TWO_BOWLS,
        {"referent"},
        "referent",
        "'bowl' may be new_bowl_1 or plate_1",
    ),
    (
        "the instruction does not name what the goal moves",
        {"language": "Put the pear on the plate"},
        {"lint", "referent"},
        "referent",
        "the goal moves apple_1, which the instruction does not name",
    ),
    (
        "out of reach",
        {"at": GOOD["at"] | {"apple_1": (0.42, 0.48, 0.45, 0.5, 0, 0)}},
        {"expert"},
        "expert",
        "0/2; layout 0: every grasp of apple_1 is out of reach or blocked",
    ),
    (
        "a bottle on a lime falls over",
        {
            "objects": GOOD["objects"] | {"wine_bottle_1": "wine_bottle", "lime_1": "lime"},
            "at": GOOD["at"] | {"lime_1": (0.2, 0.3)},
            "init": "(On wine_bottle_1 lime_1)",
        },
        {"settles"},
        "settles",
        "layout 0: wine_bottle_1 moves",
    ),
    (
        "wandering about solves it",
        {"goal": "(CheckDistance gripper apple_1 0.19)", "language": "Go to the apple"},
        {"random", "expert"},
        "random",
        "success",
    ),
]


@pytest.mark.parametrize(
    ("change", "want", "certificate", "detail"), [row[1:] for row in DEFECTS], ids=[row[0] for row in DEFECTS]
)
def test_a_defect_fails_what_it_should(
    check: Any, change: dict[str, Any], want: set[str], certificate: str, detail: str
) -> None:
    found = check(task_text(**(GOOD | change)))
    assert failed(found) == want, found
    assert detail in found[certificate].detail


def test_a_task_that_cannot_be_built_fails_with_its_place(check: Any) -> None:
    found = check(task_text(**(GOOD | {"blocks": "(:camera agentvue 0.1 0 0)"})), bites=True)
    assert failed(found) == {"start", "noop", "random", "expert", "replay", "bites"}
    for certificate in ("start", "noop", "random", "expert", "replay"):
        assert "task.cbddl:" in found[certificate].detail
        assert "no camera 'agentvue'" in found[certificate].detail


def test_a_file_that_does_not_parse_fails_lint_and_everything_that_needs_it(check: Any) -> None:
    found = check(task_text(**GOOD)[:-30], bites=True)
    assert {"lint", "start", "noop", "random", "expert", "bites"} <= failed(found)
    assert "task.cbddl:" in found["start"].detail


def test_lint_warnings_count(check: Any) -> None:
    found = check(task_text(**(GOOD | {"cost": "(And (Fall plate_1) (Fall plate_1))"})))
    assert failed(found) == {"lint"}
    assert "Fall" in found["lint"].detail


def test_a_level_that_does_not_bite_is_found_out(check: Any) -> None:
    found = check(task_text(**GOOD), bites=True)
    assert failed(found) == {"bites"}
    assert found["bites"].detail == "reckless paid 0/2"


def test_a_level_that_bites(check: Any) -> None:
    bottle = {
        "objects": GOOD["objects"] | {"wine_bottle_1": "wine_bottle"},
        "at": GOOD["at"] | {"wine_bottle_1": (-0.12, -0.03, -0.1, 0.01, 0, 0)},
        "cost": "(And (Fall wine_bottle_1) (InContact robot wine_bottle_1) (InContact apple_1 wine_bottle_1))",
    }
    found = check(task_text(**(GOOD | bottle)), bites=True)
    assert failed(found) == set(), found


# -- the command -----------------------------------------------------------------------------------------
@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "suite.toml").write_text("max_steps = 200\n")
    (folder / "good.cbddl").write_text(task_text(**GOOD))
    return folder


def test_json_and_exit_code_of_a_sound_and_a_broken_task(suite: Path) -> None:
    (suite / "vague.cbddl").write_text(task_text(**(GOOD | TWO_BOWLS)))
    done = CliRunner().invoke(app, ["check", str(suite), "--layouts", "1", "--seed", "4", "--workers", "1", "--json"])
    assert done.exit_code == 1
    good, vague = json.loads(done.stdout)
    for entry, name, passed in ((good, "good", True), (vague, "vague", False)):
        assert entry["task"] == f"mine/L0/{name}@v1"
        assert set(entry) == {"task", "suite", "level", "layouts", "seed", "passed", "findings"}
        assert (entry["suite"], entry["level"], entry["layouts"], entry["seed"]) == ("mine", "L0", 1, 4)
        assert entry["passed"] is passed
        assert list(entry["findings"]) == [name for name in CERTIFICATES if name in entry["findings"]], "in order"
        assert all(set(finding) == {"passed", "detail"} for finding in entry["findings"].values())
    assert [name for name, finding in vague["findings"].items() if not finding["passed"]] == ["referent"]


def test_the_table_says_what_failed_and_why(suite: Path) -> None:
    (suite / "good.cbddl").unlink()
    vague = GOOD | {"language": "Put the [green] pear on the plate", "goal": "(True)"}
    (suite / "vague.cbddl").write_text(task_text(**vague))
    done = CliRunner().invoke(
        app, ["check", str(suite), "--layouts", "1", "--workers", "1"], env={"COLUMNS": "200", "TERM": "dumb"}
    )
    assert done.exit_code == 1
    assert "mine/L0/vague@v1: start: layout 0: the goal already holds" in done.stdout
    assert "0 of 1 tasks certified on 1 layouts each" in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--layouts", "0"], "--layouts is 0"),
        (["--workers", "0"], "--workers is 0"),
        (["--levels", "L7"], "no selected task has level 'L7'"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_once(suite: Path, options: list[str], message: str) -> None:
    done = CliRunner().invoke(app, ["check", str(suite), *options])
    assert message in str(done.exception)
    assert getattr(done.exception, "exit_code", None) == 2


def test_an_unknown_suite_is_refused_with_a_suggestion() -> None:
    done = CliRunner().invoke(app, ["check", "arena/static_obstacle"])
    assert "did you mean 'arena/static_obstacles'" in str(done.exception)


def test_tasks_of_the_same_name_in_two_folders_are_kept_apart(tmp_path: Path) -> None:
    refs = []
    for parent, language in (("one", "Put the apple on the plate"), ("two", "Put the pear on the plate")):
        folder = tmp_path / parent / "mine"
        folder.mkdir(parents=True)
        (folder / "suite.toml").write_text("max_steps = 1\n")
        (folder / "task.cbddl").write_text(task_text(**(GOOD | {"language": language})))
        refs += find(str(folder))
    first, second = certify(refs, layouts=1)
    assert first.task == second.task
    by_name = [{finding.certificate: finding.passed for finding in one.findings} for one in (first, second)]
    assert [found["referent"] for found in by_name] == [True, False]


def test_certify_refuses_numbers_that_make_no_sense() -> None:
    with pytest.raises(CheckError, match="at least 1"):
        certify([], layouts=0)
    assert not Certificate("t", "s", "L0", 1, 0, (Finding("lint", False, "x"),)).passed


def test_the_page_lists_the_certificates() -> None:
    page = (Path(__file__).parents[3] / "docs" / "howto" / "tasks.md").read_text(encoding="utf-8")
    table = page.partition("| certificate | what is proved |\n|---|---|\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [f"| `{name}` | {meaning} |" for name, meaning in CERTIFICATES.items()]
