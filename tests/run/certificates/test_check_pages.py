"""The pages of a sweep: a row per task, totals that add up, failures that are named, intervals that are Wilson's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from proctor.analysis.stats import wilson
from proctor.cli import app
from proctor.run.certificates import CERTIFICATES, AnswerStore, Certificate, Finding, JobResult, Played
from proctor.run.certificates import baselines_page as baselines
from proctor.run.certificates import certificates_page as page_of
from proctor.run.certificates import plan_jobs as jobs_of
from proctor.tasks.suites import find_all


def certificate(name: str, level: str, *, expert: int = 4, reckless_paid: int = 3, bad: str = "") -> Certificate:
    figures = {
        "lint": "clean", "referent": "apple=apple_1", "settles": "4/4", "start": "4/4",
        "noop": "success 0/4, paid 0/4", "random": "success 0/4", "expert": f"{expert}/4; layout 1: slipped 1/2",
        "safe": "paid 0/4", "bites": f"reckless paid {reckless_paid}/4", "replay": "0a1b2c3d",
    }  # fmt: skip
    findings = tuple(Finding(key, key != bad, detail) for key, detail in figures.items())
    played = {
        "noop": (Played(False, 0.0, 300),) * 4,
        "random": (Played(False, 2.0, 300),) * 4,
        "expert": tuple(Played(i < expert, 0.0, 100 + i) for i in range(4)),
        "reckless": tuple(Played(True, 5.0 if i < reckless_paid else 0.0, 90) for i in range(4)),
    }
    return Certificate(f"arena/s/{level}/{name}@v1", "arena/s", level, 4, 0, findings, played, 90.0)


SWEEP = [certificate("a", "L0"), certificate("b", "L1", expert=3, reckless_paid=1, bad="bites"), certificate("c", "L1")]


def rows(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the table below a line that contains ``heading``."""
    table = page.partition(heading)[2].partition("|---")[2].partition("\n")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_a_row_per_task_shows_every_certificate_that_its_suite_has() -> None:
    page = page_of(SWEEP, "proctor check arena")
    assert "**2 of 3 tasks certified.** 4 layouts each, seed 0" in page
    assert "Made by `proctor check arena`" in page
    assert re.search(r"\d{4}-\d\d-\d\d, Proctor [\d.]+.*, MuJoCo 3\.\d+\.\d+; \d+ minutes of one core", page)
    table = rows(page, "## arena/s")
    assert [(row[0], row[1]) for row in table] == [("L0", "a"), ("L1", "b"), ("L1", "c")]
    assert all(len(row) == 2 + len(CERTIFICATES) - len({"unique"}) + 2 for row in table)  # none was drawn
    assert table[1][2:] == [
        "✓", "✓", "4/4", "4/4", "0/4, 0/4", "0/4", "3/4", "0/4", "✗ 1/4", "`0a1b2c3d`", "101", "90",
    ]  # fmt: skip


def test_totals_add_up_and_failures_are_named() -> None:
    page = page_of(SWEEP, "x")
    assert rows(page, "| suite | level | certified") == [
        ["arena/s", "L0", "1/1", "4/4", "0/4", "3/4", "0/4, 0/4", "0/4"],
        ["arena/s", "L1", "1/2", "7/8", "0/8", "4/8", "0/8, 0/8", "0/8"],
    ]
    assert "- arena/s/L1/b@v1: `bites`: reckless paid 1/4" in page
    assert "Not certified" not in page_of(SWEEP[:1], "x")


def test_baselines_have_shares_with_wilson_intervals_and_costs_of_watched_tasks() -> None:
    page = baselines(SWEEP, "x")
    low, high = wilson(7, 8)
    success = rows(page, "## Success rate")
    assert success[1][:2] == ["arena/s", "L1"]
    assert success[1][5] == f"{100 * 7 / 8:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
    cost = rows(page, "## Cost (CC)")
    assert cost[1][2] == "0.0 (0.0–0.0)"
    mean, _, _ = re.findall(r"[\d.]+", cost[1][4])
    assert float(mean) == 2.5
    safe = rows(page, "## Safe success rate")
    assert safe[1][4].startswith("50 %"), "half of the reckless successes were paid for"
    assert safe[1][5].startswith("88 %")


def test_tasks_without_a_cost_have_no_cost_and_no_safe_success() -> None:
    played = {"expert": (Played(True, 0.0, 50, watched=False),) * 4}
    page = baselines([Certificate("s/L0/a@v1", "s", "L0", 4, 0, (), played)], "x")
    assert rows(page, "## Cost (CC)")[0][5] == "–"
    assert rows(page, "## Safe success rate")[0][5] == "–"
    assert rows(page, "## Success rate")[0][5].startswith("100 %")


def test_the_command_writes_both_pages_from_the_stored_answers(tmp_path: Path) -> None:
    (task,) = find_all(["arena/long_horizon/L0/open_the_top_layer_of_the_cabinet"])
    store = AnswerStore(tmp_path / "kept")
    for job in jobs_of([task], 4, 0, baselines=True):
        findings = (Finding("lint" if job.question == "text" else job.question, True, "4/4"),) if job.judged else ()
        store.keep(job, JobResult(job.task, job.question, findings, (Played(True, 0.0, 7, None, {}, False),) * 4, 1.0))
    options = ["--layouts", "4", "--out", str(tmp_path / "kept"), "--pages", str(tmp_path / "pages")]
    done = CliRunner().invoke(app, ["check", task.id, *options, "--baselines"])
    assert done.exit_code == 0, done.output
    assert "1 of 1 tasks certified" in (tmp_path / "pages" / "certificates.md").read_text()
    assert "| 100 % (51–100) |" in (tmp_path / "pages" / "baselines.md").read_text()


def test_a_folder_that_cannot_be_written_is_a_line(tmp_path: Path) -> None:
    from proctor.cli.check import _write_pages
    from proctor.run.certificates import CheckError

    (tmp_path / "file").write_text("")
    with pytest.raises(CheckError, match=r"--pages .*file: cannot be written"):
        _write_pages(SWEEP, tmp_path / "file", baselines=False)
