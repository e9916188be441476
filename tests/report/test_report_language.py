"""The page on language: every figure of the maps, tables and plots against the rows it is about."""

from __future__ import annotations

import importlib.metadata
import json
import re
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import language_runs
import made_runs
import numpy as np
import pytest
from report_pages import BROWSER, Element, Made, measured_widths, read_page, rendered
from scipy.stats import t as student

from proctor.analysis.words import score_pairs
from proctor.report import write_report
from proctor.results import Episode

TASKS = list(language_runs.TASKS)


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Made:
    base = tmp_path_factory.mktemp("spoken")
    para = language_runs.paraphrase_rows()
    own = language_runs.told_rows("W0", {"bowl": (5, 5), "stove": (4, 5), "drawer": (5, 5), "bottle": (3, 5)})
    runs = [made_runs.write_run(base / "para", para), made_runs.write_run(base / "own", own)]
    return Made(write_report(runs, base / "report").parent, {"probe": [*para, *own]})


@pytest.fixture(scope="module")
def page(spoken: Made) -> Element:
    return read_page(spoken.folder / "language.html")


@pytest.fixture(scope="module")
def paraphrased(spoken: Made) -> list[Episode]:
    return [row for row in spoken.rows["probe"] if row.status == "completed" and row.language.variant == "paraphrase"]


@pytest.fixture(scope="module")
def distance(paraphrased: list[Episode]) -> dict[str, float]:
    pairs = [(row.language.instruction, row.language.sent) for row in paraphrased]
    return {pair[1]: 1 - (score.s_k + score.s_t) / 2 for pair, score in zip(pairs, score_pairs(pairs), strict=True)}


def wanted(link: Element) -> dict[str, str]:
    return {key: values[0] for key, values in parse_qs(urlsplit(link.attributes["href"]).fragment).items()}


def rows_of(rows: list[Episode], asked: dict[str, str]) -> list[Episode]:
    """Filter rows as the page of rows promises to, written independently of report.js."""

    def is_type(name: str, value: str) -> bool:
        kind = asked.get(name)
        return kind is None or (bool(value) if kind == "any" else value == ("" if kind == "none" else kind))

    return [
        row
        for row in rows
        if row.status == "completed"
        and asked.get("told", row.language.variant) == row.language.variant
        and is_type("object", row.language.object_type)
        and is_type("action", row.language.action_type)
    ]


def rate(rows: list[Episode]) -> float:
    return sum(bool(row.outcome.success) for row in rows) / len(rows)


def jackknife(rows: list[Episode], value: Callable[[list[Episode]], float]) -> tuple[float, float]:
    """The interval over tasks as a textbook has it: the value without each task in turn."""
    tasks = sorted({row.spec.task for row in rows})
    without = np.array([value([row for row in rows if row.spec.task != task]) for task in tasks])
    g = len(tasks)
    half = student.ppf(0.975, g - 1) * np.sqrt((g - 1) / g * ((without - without.mean()) ** 2).sum())
    return value(rows) - half, value(rows) + half


def tiles(page: Element, kind: str) -> list[Element]:
    (drawing,) = page.all("svg", class_=kind)
    return [link for link in drawing.all("a") if link.all("rect", class_="tile")]


# -- the grid ----------------------------------------------------------------------------------------------------------
def test_every_cell_of_the_success_map_is_the_rate_of_the_rows_it_links_to(spoken: Made, page: Element) -> None:
    found = tiles(page, "rates")
    assert len(found) == 43 + 1 + 4 + 11 + 1, "cells, the task's own words, margins"
    for link in found:
        rows = rows_of(spoken.rows["probe"], wanted(link))
        assert wanted(link)["policy"] == "probe"
        (text,) = link.all("text")
        assert float(text.text) == pytest.approx(100 * rate(rows), abs=0.5)
        k = sum(bool(row.outcome.success) for row in rows)
        assert f"{k} of {len(rows)} episodes, {len({row.spec.task for row in rows})} tasks" in link.all("title")[0].text
        (tile,) = link.all("rect", class_="tile")
        assert tile.attributes["style"] == f"--v:{rate(rows):.3f}"


def test_every_cell_of_the_distance_map_is_the_mean_of_its_texts(
    spoken: Made, page: Element, distance: dict[str, float]
) -> None:
    for link in tiles(page, "distances"):
        rows = rows_of(spoken.rows["probe"], wanted(link))
        texts = {(row.spec.task, row.language.sent) for row in rows}
        mean = np.mean([distance.get(sent, 0.0) for _, sent in texts])
        assert float(link.all("text")[0].text) == pytest.approx(mean, abs=0.0051)
        assert link.all("title")[0].text.endswith(f"{len(texts)} texts")


def test_a_cell_without_episodes_is_drawn_empty_and_has_no_link(tmp_path: Path) -> None:
    rows = [
        row
        for row in language_runs.paraphrase_rows()
        if row.language.action_type in ("", "hint") and row.language.object_type == ""
    ]
    shown = read_page(
        write_report([made_runs.write_run(tmp_path / "run", rows)], tmp_path / "o").with_name("language.html")
    )
    assert len(tiles(shown, "rates")) == 1 + 2 + 1, "one cell, its two margins, the whole"
    (drawing,) = shown.all("svg", class_="rates")
    assert len(drawing.all("rect", class_="empty")) == 5 * 12 - 4
    assert "names paraphrased" not in shown.text, "no split where one side is missing"


def test_types_outside_the_grid_have_rows_of_their_own_and_are_only_text(tmp_path: Path) -> None:
    strange = "<b>hab</b>+hint"
    rows = [
        language_runs.spoken(task, text, object_type="same_polarity_habitual", action_type=strange, seed=i)
        for task in TASKS
        for i, text in enumerate(("do it", "do it now"))
    ]
    path = write_report([made_runs.write_run(tmp_path / "run", rows)], tmp_path / "o").with_name("language.html")
    assert "<b>" not in path.read_text()
    links = [link for link in tiles(read_page(path), "rates") if wanted(link).get("action") == strange]
    assert [wanted(link).get("object", "*") for link in links] == ["same_polarity_habitual", "*"]


def by_type(page: Element) -> dict[str, Element]:
    (table,) = page.all("table", class_="shares-by-type")
    return {str(row.all("th")[0].children[0]).strip(): row for row in table.all("tr")[1:]}


def test_shares_by_type_have_intervals_over_tasks(spoken: Made, page: Element) -> None:
    (table,) = page.all("table", class_="shares-by-type")
    checked = 0
    for row in table.all("tr")[1:]:
        (link,) = row.all("a")
        rows = rows_of(spoken.rows["probe"], wanted(link))
        cells = {cell.attributes["data-label"]: cell.text.strip() for cell in row.all("td")}
        assert cells["Episodes"] == f"{sum(bool(r.outcome.success) for r in rows)} / {len(rows)}"
        low, high = jackknife(rows, rate)
        shown = [float(x) for x in re.findall(r"\d+", link.all("span", class_="range")[0].text)]
        assert shown[0] == pytest.approx(100 * max(low, 0), abs=1.01)
        assert shown[1] == pytest.approx(100 * min(high, 1), abs=1.01)
        checked += 1
    assert checked == 1 + 2 + 3 + 11


def test_the_change_from_preserved_to_paraphrased_names(page: Element, paraphrased: list[Episode]) -> None:
    def change(rows: list[Episode]) -> float:
        return rate([r for r in rows if r.language.object_type]) - rate([r for r in rows if not r.language.object_type])

    (text,) = [p.text for p in page.all("p") if "instead of preserved" in p.text]
    shown = [float(x.replace("\u2212", "-")) for x in re.findall(r"[+\u2212]\d+\.\d", text)]
    assert shown == pytest.approx([100 * x for x in (change(paraphrased), *jackknife(paraphrased, change))], abs=0.051)


def test_where_all_succeed_each_task_is_one_trial_and_one_task_has_no_interval(tmp_path: Path) -> None:
    rows = [
        language_runs.spoken(task, f"{word} it", action_type="hint", object_type=kind)
        for task in TASKS
        for word, kind in (("do", ""), ("get", "addition_deletion"))
    ]
    shown = read_page(
        write_report([made_runs.write_run(tmp_path / "a", rows)], tmp_path / "o").with_name("language.html")
    )
    z2 = 1.959964**2
    line = by_type(shown)["names preserved"]
    assert line.all("span", class_="range")[0].text.startswith(f"{int(100 * 4 / (4 + z2))}–100"), "Wilson of 4 of 4"
    alone = [row for row in rows if row.spec.task == rows[0].spec.task]
    shown = read_page(
        write_report([made_runs.write_run(tmp_path / "b", alone)], tmp_path / "p").with_name("language.html")
    )
    line = by_type(shown)["names preserved"]
    assert line.all("span", class_="range")[0].text == "–"
    assert line.all("rect", class_="band") == []
    assert "no interval from one task" in shown.all("section", id="distance")[0].text


# -- distance and success ----------------------------------------------------------------------------------------------
def weighted(rows: list[Episode], distance: dict[str, float]) -> tuple[float, float]:
    """PRIDE and the rate over texts, by their definitions."""
    texts = defaultdict(list)
    for row in rows:
        texts[row.spec.task, row.language.sent].append(bool(row.outcome.success))
    success = {key: np.mean(values) for key, values in texts.items()}
    pd = {key: distance[key[1]] for key in texts}
    return sum(success[k] * pd[k] for k in texts) / sum(pd.values()), float(np.mean(list(success.values())))


def test_pride_and_overestimation_are_those_of_the_rows(
    page: Element, paraphrased: list[Episode], distance: dict[str, float]
) -> None:
    (text,) = [p.text for p in page.all("p") if p.text.startswith("PRIDE")]
    pride, success = weighted(paraphrased, distance)
    low, high = jackknife(paraphrased, lambda rows: weighted(rows, distance)[0])
    shown = [float(x.replace("\u2212", "-")) for x in re.findall(r"\u2212?\d+\.\d", text)]
    expected = [pride, low, high, success, (success - pride) / success]
    assert shown[:5] == pytest.approx([100 * x for x in expected], abs=0.051)
    over = jackknife(paraphrased, lambda rows: 1 - weighted(rows, distance)[0] / weighted(rows, distance)[1])
    assert shown[5:] == pytest.approx([100 * x for x in over], abs=0.051)


def test_the_sweep_is_drawn_to_scale(page: Element, paraphrased: list[Episode]) -> None:
    (drawing,) = page.all("svg", class_="sweep")
    grid = sorted(float(line.attributes["y1"]) for line in drawing.all("line", class_="track"))
    bottom, height = grid[-1], grid[-1] - grid[0]
    pairs = [(row.language.instruction, row.language.sent) for row in paraphrased]
    scores = dict(zip((sent for _, sent in pairs), score_pairs(pairs), strict=True))
    dots = drawing.all("circle")
    assert len(dots) == 11
    for step, dot in enumerate(dots):
        alpha = step / 10
        pride, success = weighted(paraphrased, {s: 1 - alpha * x.s_k - (1 - alpha) * x.s_t for s, x in scores.items()})
        assert float(dot.attributes["cy"]) == pytest.approx(bottom - pride * height, abs=0.06)
        assert f"PRIDE {100 * pride:.1f}" in dot.text
        assert ("chosen" in dot.attributes["class"].split()) == (step == 5)
    (level,) = drawing.all("line", class_="level")
    assert float(level.attributes["y1"]) == pytest.approx(bottom - success * height, abs=0.06)


def test_bins_hold_every_episode_once_in_order_of_distance(
    page: Element, paraphrased: list[Episode], distance: dict[str, float]
) -> None:
    (drawing,) = page.all("svg", class_="scatter")
    bins = []
    for circle in drawing.all("circle", class_="bin"):
        low, high, share, n = re.findall(r"PD (.+) to (.+): (\d+)\D.* of (\d+) episodes", circle.text)[0]
        bins.append((float(low), float(high), float(share), int(n)))
    assert sum(n for *_, n in bins) == len(paraphrased)
    assert len(bins) == 8
    for (_, high, *_), (low, *_) in pairwise(bins):
        assert high < low, "equal distances stay together"
    for low, high, share, n in bins:
        rows = [row for row in paraphrased if low - 5.01e-4 <= distance[row.language.sent] <= high + 5.01e-4]
        assert len(rows) == n
        assert share == pytest.approx(100 * rate(rows), abs=0.51)
    assert len(drawing.all("circle", class_="cell")) == 43


def test_correlation_over_cells_and_its_interval_over_tasks(
    page: Element, paraphrased: list[Episode], distance: dict[str, float]
) -> None:
    def fisher(rows: list[Episode]) -> float:
        cells: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        for text in {(r.spec.task, r.language.sent, r.language.object_type, r.language.action_type) for r in rows}:
            won = [
                bool(r.outcome.success)
                for r in rows
                if (r.spec.task, r.language.sent) == text[:2] and r.language.action_type == text[3]
            ]
            cells[text[2:]].append((distance[text[1]], float(np.mean(won))))
        means = np.array([np.mean(values, axis=0) for values in cells.values()])
        return float(np.arctanh(np.corrcoef(means.T)[0, 1]))

    (caption,) = [c.text for c in page.all("figcaption") if "Over cells r" in c.text]
    shown = [float(x.replace("\u2212", "-")) for x in re.findall(r"[+\u2212]\d\.\d\d", caption)]
    expected = [np.tanh(fisher(paraphrased)), *np.tanh(jackknife(paraphrased, fisher))]
    assert shown == pytest.approx(expected, abs=0.0051)
    assert "n\u00a0=\u00a043" in caption


# -- the page as a page ------------------------------------------------------------------------------------------------
def test_without_the_packages_the_page_names_the_command_and_keeps_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.metadata.version

    def version(name: str) -> str:
        if name == "spacy":
            raise importlib.metadata.PackageNotFoundError(name)
        return found(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    run = made_runs.write_run(tmp_path / "run", language_runs.paraphrase_rows())
    shown = read_page(write_report([run], tmp_path / "o").with_name("language.html"))
    (note,) = shown.all("p", class_="cautions")
    assert "proctor language setup" in note.text
    assert len(note.text.splitlines()) == 1
    assert len(tiles(shown, "rates")) == 43 + 4 + 11 + 1
    for kind in ("distances", "scatter", "sweep"):
        assert shown.all("svg", class_=kind) == []


def test_a_text_that_cannot_be_scored_is_named_by_its_episode(tmp_path: Path) -> None:
    rows = [row for row in language_runs.paraphrase_rows(1) if row.language.action_type == "hint"]
    rows.append(language_runs.spoken("bowl", "please " * 300, action_type="hint"))
    run = made_runs.write_run(tmp_path / "run", rows)
    shown = read_page(write_report([run], tmp_path / "o").with_name("language.html"))
    (note,) = shown.all("p", class_="cautions")
    assert f"episode {rows[-1].episode_id}" in note.text
    assert shown.all("svg", class_="rates") != []


def test_runs_in_their_own_words_have_no_such_page(made: Made, spoken: Made) -> None:
    assert not (made.folder / "language.html").exists()
    assert "language.html" not in (made.folder / "index.html").read_text()
    for name in ("index.html", "episodes.html", "language.html"):
        (nav,) = read_page(spoken.folder / name).all("nav", aria_label="Report")
        assert [a.attributes["href"] for a in nav.all("a")][-3:-2] == ["language.html"]


def test_the_overview_says_the_same_in_a_sentence(spoken: Made, page: Element, paraphrased: list[Episode]) -> None:
    (text,) = [p.text for p in read_page(spoken.folder / "index.html").all("p") if "More on language" in p.text]
    pride = re.findall(r"PRIDE [\d.]+\d", page.text)[0]
    own = rate([row for row in spoken.rows["probe"] if row.language.variant == "W0"])
    said = " ".join(text.replace("\u202f", " ").split())
    assert said == (
        f"probe: {100 * rate(paraphrased):.0f} % of {len(paraphrased)} episodes succeed when told in other words, "
        f"{100 * own:.0f} % of 20 with the task's own. {pride}. More on language."
    )


def test_the_pride_of_the_page_is_that_of_the_command(spoken: Made, page: Element) -> None:
    from typer.testing import CliRunner

    from proctor.cli import app

    done = CliRunner().invoke(app, ["pride", str(spoken.folder.parent / "para"), "--json"])
    summary = json.loads(done.stdout)["summary"]
    (text,) = [p.text for p in page.all("p") if p.text.startswith("PRIDE")]
    assert text.startswith(f"PRIDE {100 * summary['pride']['estimate']:.1f} ({100 * summary['pride']['low']:.1f} to")


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [390, 768])
def test_the_page_does_not_scroll_sideways(spoken: Made, width: int, tmp_path: Path) -> None:
    ((content, window),) = measured_widths(spoken.folder, ["language.html"], width, tmp_path)
    assert content <= window


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_a_link_leads_to_its_rows(spoken: Made, page: Element, tmp_path: Path) -> None:
    rows = spoken.rows["probe"]
    link = next(x for x in page.all("a") if wanted(x).get("object") == "any")
    dom = rendered(f"file://{spoken.folder}/{link.attributes['href']}", tmp_path)
    count = len(rows_of(rows, wanted(link)))
    assert 0 < count < len(rows)
    assert f"{count} of {len(rows)} rows" in dom
