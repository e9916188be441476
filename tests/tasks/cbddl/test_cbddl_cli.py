"""``proctor lint`` and ``proctor fmt`` as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from cbddl_fuzz import FULL
from typer.testing import CliRunner, Result

from proctor.cli.lint import fmt, lint
from proctor.tasks.cbddl import check, format_task

BROKEN = FULL.replace("(Up apple_1)", "(Upp apple_1)")


def _run(*arguments: str | Path) -> Result:
    app = typer.Typer()
    app.command("lint")(lint)
    app.command("fmt")(fmt)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "a.bddl").write_text(FULL)
    (tmp_path / "deep" / "er" / "b.cbddl").write_text(BROKEN)
    (tmp_path / "deep" / "notes.txt").write_text("(not a task")
    return tmp_path


def test_json_lists_every_defect_of_every_task_file_below_a_folder(folder: Path) -> None:
    result = _run("lint", "--json", folder)
    assert result.exit_code == 1
    rows = json.loads(result.stdout)
    assert all(list(row) == ["file", "line", "column", "code", "severity", "message"] for row in rows)
    assert {Path(row["file"]).name for row in rows} == {"a.bddl", "b.cbddl"}
    expected = {(d.line, d.column, d.code, d.severity) for d in check(BROKEN)[1]}
    found = {(r["line"], r["column"], r["code"], r["severity"]) for r in rows if r["file"].endswith("b.cbddl")}
    assert expected <= found


def test_text_groups_by_file_and_ends_with_a_summary(folder: Path) -> None:
    result = _run("lint", folder)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines.count(str(folder / "a.bddl")) == lines.count(str(folder / "deep" / "er" / "b.cbddl")) == 1
    assert any("unknown-predicate" in line and "did you mean 'Up'?" in line for line in lines)
    assert lines[-1].startswith("2 files: 1 error, ")


def test_without_errors_the_exit_code_is_zero(folder: Path) -> None:
    assert _run("lint", folder / "a.bddl").exit_code == 0
    assert json.loads(_run("lint", folder / "deep" / "er", "--json").stdout)


@pytest.mark.parametrize("command", ["lint", "fmt"])
def test_a_folder_without_tasks_is_no_success(command: str, folder: Path) -> None:
    (folder / "empty").mkdir()
    result = _run(command, folder / "empty")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"no task files in {folder / 'empty'}" in result.stderr


@pytest.mark.parametrize("command", ["lint", "fmt"])
def test_a_missing_path_is_one_line_and_exit_code_2(command: str, tmp_path: Path) -> None:
    result = _run(command, tmp_path / "none")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "no such file or folder" in result.stderr


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"(((", b"\x00" * 100, b"a" * (1 << 21)])
def test_unreadable_files_are_diagnosed(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.bddl"
    path.write_bytes(data)
    for command in (["lint", "--json"], ["lint", "--json", "--fix"]):
        result = _run(*command, path)
        assert result.exit_code == 1
        assert all(row["code"].startswith("syntax-") for row in json.loads(result.stdout))
    result = _run("fmt", path)
    assert result.exit_code == 1
    assert "syntax-" in result.stderr
    assert path.read_bytes() == data


def test_fix_repairs_what_is_safe_and_keeps_mode_and_broken_files(folder: Path) -> None:
    path = folder / "a.bddl"
    path.write_text(FULL.replace("(:cost (And", "(:cost (Fall plate_1) (And"))
    path.chmod(0o640)
    assert _run("lint", path).exit_code == 1
    result = _run("lint", "--fix", folder)
    assert "several-costs" not in result.stdout
    assert path.stat().st_mode & 0o777 == 0o640
    assert "(Fall plate_1)" in path.read_text()
    assert (folder / "deep" / "er" / "b.cbddl").read_text() == BROKEN
    assert sorted(p.name for p in folder.iterdir()) == ["a.bddl", "deep"]


def test_fmt_check_changes_nothing_and_fmt_does(folder: Path) -> None:
    path = folder / "a.bddl"
    result = _run("fmt", "--check", path)
    assert result.exit_code == 1
    assert path.read_text() == FULL
    assert _run("fmt", path).exit_code == 0
    assert path.read_text() == format_task(FULL)
    assert _run("fmt", "--check", path).exit_code == 0
