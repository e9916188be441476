"""The comparison in the report: the same verdict as the command's, its plots, and what happens when there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import made_runs
import pytest
from report_pages import Made, read_page

from proctor.analysis.stats import EpisodeRow, compare, operations
from proctor.report import write_report
from proctor.results.importers import trials_of


def test_the_page_says_what_the_statistics_say(made: Made) -> None:
    arms = {
        name: operations([EpisodeRow(**row) for row in trials_of(rows, name).rows]) for name, rows in made.rows.items()
    }
    found = compare(arms)
    page = read_page(made.folder / "compare.html")
    assert found.sentence in page.text
    assert found.sentence in read_page(made.folder / "index.html").text
    first, second, third = page.all("table")
    for arm, row in zip(found.arms, first.all("tr")[1:], strict=True):
        cells = {cell.attributes["data-label"]: cell.text for cell in row.all("td")}
        assert cells["Episodes"] == str(arm.n_episodes)
        assert cells["Group"] == arm.letters
    (row,) = second.all("tr")[1:]
    assert f"{100 * found.pairs[0].success_difference:+.1f} points".replace("-", "−") in row.text
    (safer,) = third.all("tr")[1:]
    assert "safer" in safer.text
    assert safer.all("td")[0].text in read_page(made.folder / "index.html").text


def test_every_plot_is_there_and_is_a_drawing(made: Made) -> None:
    images = read_page(made.folder / "compare.html").all("img")
    assert {Path(image.attributes["src"]).stem for image in images} >= {
        "cdf", "detection", "forest", "horizon", "letters", "pp", "qq",
    }  # fmt: skip
    for image in images:
        assert image.attributes["alt"]
        assert "<svg" in (made.folder / image.attributes["src"]).read_text(encoding="utf-8")[:1000]


def test_one_policy_is_not_compared(tmp_path: Path) -> None:
    run = made_runs.write_run(tmp_path / "run", made_runs.random_rows("expert", 0.9, 2))
    folder = write_report([run], tmp_path / "report").parent
    assert not (folder / "compare.html").exists()
    assert "Comparison" not in (folder / "index.html").read_text()


def test_policies_without_a_common_task_are_not_compared_and_the_report_says_why(tmp_path: Path) -> None:
    rows = made_runs.random_rows("expert", 0.9, 3)
    others = [row for row in made_runs.random_rows("reckless", 0.5, 3) if row.spec.level == "L2"]
    first = made_runs.write_run(tmp_path / "a", [row for row in rows if row.spec.level == "L0"])
    second = made_runs.write_run(tmp_path / "b", others)
    folder = write_report([first, second], tmp_path / "report").parent
    assert "Not compared: " in (folder / "index.html").read_text()
    assert not (folder / "compare.html").exists()


def test_without_matplotlib_the_verdict_stays_and_the_page_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    runs = [
        made_runs.write_run(tmp_path / name, made_runs.random_rows(name, skill, 4))
        for name, skill in (("expert", 0.9), ("reckless", 0.2))
    ]
    folder = write_report(runs, tmp_path / "report").parent
    page = read_page(folder / "compare.html")
    assert "proctor[plots]" in page.text
    assert not page.all("img")
