"""The overview over suites and levels, the changes between levels, and the instruction ablation, against the rows."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import made_runs
import pytest
from report_pages import Element, Made, read_page

from episode_rows import changed
from proctor.analysis.stats import newcombe, newcombe_paired, wilson
from proctor.report import write_report
from proctor.report._overview import level_order
from proctor.results import Episode

LEVELS = ("L0", "L1", "L2")


def completed(rows: list[Episode], level: str) -> list[Episode]:
    return [row for row in rows if row.spec.level == level and row.status == "completed"]


def rate(rows: list[Episode]) -> float:
    return sum(bool(row.outcome.success) for row in rows) / len(rows)


def drawings(page: Element, kind: str) -> list[Element]:
    return page.all("svg", class_=kind)


def test_every_figure_of_the_overview_is_that_of_its_rows(made: Made) -> None:
    (table,) = read_page(made.folder / "index.html").all("table", class_="overview")
    sparks = drawings(table, "spark")
    assert len(sparks) == 2
    for spark, rows in zip(sparks, made.rows.values(), strict=True):
        for link in spark.all("a"):
            wanted = {key: value[0] for key, value in parse_qs(urlsplit(link.attributes["href"]).fragment).items()}
            assert wanted["result"] == "completed"
            group = completed(rows, wanted["level"])
            (text,) = link.all("text")
            shown = float(re.sub(r"[^\d.]", "", text.text.partition("L")[0]))
            if "cc" in text.attributes["class"]:
                assert shown == pytest.approx(sum(row.costs.total for row in group) / len(group), abs=0.05)
            else:
                assert shown == pytest.approx(100 * rate(group), abs=0.5)
        texts = spark.all("text")
        assert len([text for text in texts if "sr" in text.attributes["class"].split()]) == len(LEVELS)
        assert len([text for text in texts if "cc" in text.attributes["class"].split()]) == 2, "L0 defines no cost"


def test_the_scale_is_common_and_highest_and_lowest_are_marked(made: Made) -> None:
    for spark, rows in zip(drawings(read_page(made.folder / "index.html"), "spark"), made.rows.values(), strict=True):
        tracks = sorted(float(line.attributes["y1"]) for line in spark.all("line"))
        top, bottom = tracks[0], tracks[-1]
        rates = [rate(completed(rows, level)) for level in LEVELS]
        circles = spark.all("circle")
        for circle, value in zip(circles, rates, strict=True):
            assert float(circle.attributes["cy"]) == pytest.approx(bottom - value * (bottom - top), abs=0.06)
        marked = {
            name: [name in circle.attributes["class"].split() for circle in circles] for name in ("most", "least")
        }
        assert rates[marked["most"].index(True)] == max(rates)
        assert rates[marked["least"].index(True)] == min(rates)
        assert sum(marked["most"]) == sum(marked["least"]) == 1


def test_equal_levels_have_no_highest(tmp_path: Path) -> None:
    rows = [made_runs.episode(level=level, task=f"s/{level}/t@v1", seed=i) for level in LEVELS for i in range(3)]
    page = read_page(write_report([made_runs.write_run(tmp_path / "run", rows)], tmp_path / "out"))
    (spark,) = drawings(page, "spark")
    assert [circle.attributes["class"] for circle in spark.all("circle")] == ["dot"] * 3


def test_bold_is_the_best_policy_of_a_level(made: Made) -> None:
    sparks = drawings(read_page(made.folder / "index.html"), "spark")
    for i, level in enumerate(LEVELS):
        rates = [rate(completed(rows, level)) for rows in made.rows.values()]
        for spark, value in zip(sparks, rates, strict=True):
            figures = [text for text in spark.all("text") if "sr" in text.attributes["class"].split()]
            assert ("best" in figures[i].attributes["class"].split()) == (value == max(rates))


def test_changes_between_levels_have_newcombes_interval(made: Made) -> None:
    page = read_page(made.folder / "index.html")
    tables = [t for t in page.all("table", class_="plain") if "from level to level" in t.all("caption")[0].text]
    (table,) = tables
    lines = table.all("tr")[1:]
    expected = [(rows, pair) for rows in made.rows.values() for pair in (("L0", "L1"), ("L1", "L2"), ("L0", "L2"))]
    for line, (rows, (first, second)) in zip(lines, expected, strict=True):
        cells = {cell.attributes["data-label"]: cell.text for cell in line.all("td")}
        assert cells["Levels"] == f"{first} → {second}"
        a, b = completed(rows, first), completed(rows, second)
        low, high = newcombe(
            sum(bool(r.outcome.success) for r in b), len(b), sum(bool(r.outcome.success) for r in a), len(a)
        )
        shown = [float(x.replace("\u2212", "-")) for x in re.findall(r"[+\u2212]?\d+", cells["Success"])]
        assert shown == pytest.approx([100 * (rate(b) - rate(a)), 100 * low, 100 * high], abs=0.51)
        if first == "L0":
            assert cells["Mean cost"].strip() == "–", "no cost is defined at L0"
        else:
            change = sum(r.costs.total for r in b) / len(b) - sum(r.costs.total for r in a) / len(a)
            values = [float(x.replace("\u2212", "-")) for x in re.findall(r"[+\u2212]?\d+\.\d", cells["Mean cost"])]
            assert values[0] == pytest.approx(change, abs=0.051)
            assert values[1] <= values[0] <= values[2]


# -- what the instruction is worth -----------------------------------------------------------------------------------
def conditioned(language: str, wins: int, n: int = 20) -> list[Episode]:
    rows = [made_runs.episode(episode=i, seed=i, success=i < wins, level="L0") for i in range(n)]
    return [changed(row, language=language, episode_id=f"{language}-{row.episode_id}") for row in rows]


def test_the_ablation_shows_each_condition_and_its_drop_in_pairs(tmp_path: Path) -> None:
    wins = {"W0": 16, "none": 6, "wrong": 4}
    runs = [made_runs.write_run(tmp_path / name, conditioned(name, k)) for name, k in wins.items()]
    page = read_page(write_report(runs, tmp_path / "out"))
    (figure,) = [figure for figure in page.all("figure") if drawings(figure, "ablation")]
    bars = figure.all("rect", class_="bar")
    assert [bar.all("title")[0].text for bar in bars] == ["correct: 16 of 20", "none: 6 of 20", "wrong: 4 of 20"]
    heights = [float(bar.attributes["height"]) for bar in bars]
    assert heights == pytest.approx([heights[0] * k / 16 for k in wins.values()], abs=0.06)
    full = heights[0] * 20 / 16
    for path, k in zip(figure.all("path", class_="whisker"), wins.values(), strict=True):
        bottom, top = map(float, re.findall(r" ([\d.]+)V([\d.]+)", path.attributes["d"])[0])
        low, high = wilson(k, 20)
        assert bottom - top == pytest.approx(full * (high - low), abs=0.11)
    low, high = newcombe_paired(6, 0, 10, 4)
    assert f"none: \u221250 points (\u2212{-100 * low:.0f} to \u2212{-100 * high:.0f})" in figure.text


def test_without_a_second_condition_there_is_no_ablation(made: Made, tmp_path: Path) -> None:
    assert drawings(read_page(made.folder / "index.html"), "ablation") == []
    runs = [made_runs.write_run(tmp_path / name, conditioned(name, 3)) for name in ("none", "wrong")]
    page = read_page(write_report(runs, tmp_path / "out"))
    assert drawings(page, "ablation") == [], "nothing to hold it against"


def test_levels_run_from_the_easiest_on() -> None:
    assert sorted(["hard", "easy", "medium"], key=level_order) == ["easy", "medium", "hard"]
    assert sorted(["L2", "L0", "L1", ""], key=level_order) == ["", "L0", "L1", "L2"]
