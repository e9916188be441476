"""The page on language: words replaced, controls, failures; and that figures on coloured ground can be read."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import language_runs
import made_runs
import numpy as np
import pytest
from report_pages import CSS, THEMES, Element, contrast, read_page
from typer.testing import CliRunner

from episode_rows import changed
from proctor.analysis.words import ignoring_rate
from proctor.cli import app
from proctor.core import ObjectTrace
from proctor.report import write_report
from proctor.results import Episode, write_steps
from proctor.tasks.words import MISLEADING


def language_page(tmp_path: Path, *runs: list[Episode]) -> Element:
    """Return the page on language of these rows, one run folder each."""
    folders = [made_runs.write_run(tmp_path / f"run{i}", rows) for i, rows in enumerate(runs)]
    return read_page(write_report(folders, tmp_path / "out").with_name("language.html"))


# -- words replaced ----------------------------------------------------------------------------------------------------
def test_words_replaced_show_rate_mean_number_and_change_on_shared_tasks(tmp_path: Path) -> None:
    runs = [
        language_runs.told_rows("W0", {"bowl": (9, 10), "stove": (8, 10), "drawer": (0, 10)}),
        language_runs.told_rows("W1", {"bowl": (8, 10), "stove": (5, 10)}, words=1),
        language_runs.told_rows("W3", {"bowl": (4, 10)}, words=3)
        + language_runs.told_rows("W3", {"stove": (3, 10)}, words=2),
    ]
    page = language_page(tmp_path, *runs)
    (section,) = page.all("section", id="words")
    lines = {row.all("th")[0].text: [cell.text for cell in row.all("td")] for row in section.all("tr")[1:]}
    assert {name: cells[:2] for name, cells in lines.items()} == {
        "W0": ["0", "17 / 30"],
        "W1": ["1", "13 / 20"],
        "W3": ["2.5", "7 / 20"],
    }
    assert lines["W0"][2] == "–"
    # On the two tasks that both have: 17/20 with the own words, changes of -10 and -30 points by task.
    assert lines["W1"][2].startswith("\u221220.0 points")
    assert lines["W3"][2].startswith("\u221250.0 points")
    half = 12.706204736 * np.sqrt(1 / 2 * 2 * 10.0**2)
    assert [float(x.replace("\u2212", "-")) for x in re.findall(r"[+\u2212]\d+\.\d", lines["W1"][2])] == pytest.approx(
        [-20, max(-20 - half, -100), min(-20 + half, 100)], abs=0.051
    )
    (drawing,) = section.all("svg", class_="words")
    grid = sorted(float(line.attributes["y1"]) for line in drawing.all("line", class_="track"))
    heights = [(grid[-1] - float(dot.attributes["cy"])) / (grid[-1] - grid[0]) for dot in drawing.all("circle")]
    assert heights == pytest.approx([17 / 30, 13 / 20, 7 / 20], abs=1e-3)


def test_words_alone_need_no_distances(tmp_path: Path) -> None:
    page = language_page(tmp_path, language_runs.told_rows("W2", {"bowl": (3, 5), "stove": (2, 5)}, words=2))
    assert "60 %".replace(" ", "\u202f") not in page.all("section", class_="headline")[0].text
    assert page.all("section", id="grid") == []
    assert page.all("p", class_="cautions") == []
    assert page.all("svg", class_="words") != []


# -- controls ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("misled", "words"), [(0, "does not do the task"), (9, "whatever it is told")])
def test_controls_show_the_ignoring_rate_of_each_and_of_all_misleading(tmp_path: Path, misled: int, words: str) -> None:
    page = language_page(tmp_path, language_runs.control_rows(right=9, misled=misled))
    (section,) = page.all("section", id="controls")
    lines = {row.all("th")[0].text: row for row in section.all("tr")[1:]}
    assert len(lines) == 1 + 6 + 1
    overall = ignoring_rate(2 * misled * len(MISLEADING), 20 * len(MISLEADING), 18, 20)
    cells = {cell.attributes["data-label"]: cell.text for cell in lines["all misleading ones"].all("td")}
    assert cells["Episodes"] == f"{2 * misled * len(MISLEADING)} / {20 * len(MISLEADING)}"
    assert cells["Instruction-ignoring rate"] == f"{overall.value:.2f} {overall.low:.2f} to {overall.high:.2f}"
    one = ignoring_rate(2 * misled, 20, 18, 20)
    assert f"{one.value:.2f} {one.low:.2f} to {one.high:.2f}" in lines["a wrong object"].text
    assert words in section.text
    assert words in page.all("section", class_="headline")[0].text


def test_the_page_and_the_command_say_the_same_of_following(tmp_path: Path) -> None:
    rows = language_runs.control_rows(right=7, misled=2)
    page = language_page(tmp_path, rows)
    done = CliRunner().invoke(app, ["language", "controls", str(tmp_path / "run0"), "--json"])
    (table,) = json.loads(done.stdout)["policies"]
    assert table["verdict"].capitalize() in page.text


def test_a_policy_that_never_succeeds_is_told_so_in_a_line(tmp_path: Path) -> None:
    page = language_page(tmp_path, language_runs.control_rows(right=0, misled=0))
    assert page.all("section", id="controls") == []
    assert "never succeeds with the right instruction" in page.all("section", class_="headline")[0].text.replace(
        "\n", " "
    )


# -- failures ----------------------------------------------------------------------------------------------------------
def trace(**changes: Any) -> ObjectTrace:
    """Return what was done to a thing: nothing."""
    return replace(ObjectTrace(False, (), nearest_m=0.5, touched_s=None, held_s=None, moved=0.0), **changes)


THINGS = {
    "unfinished": {"bowl": trace(goal=True, held_s=1.0, moved=0.2), "plate": trace()},
    "wrong_object": {"bowl": trace(goal=True), "plate": trace(held_s=1.0, moved=0.2)},
    "idle": {"bowl": trace(goal=True), "plate": trace()},
}
PATHS = {"near": (1.0, 0.0, 0.0), "far": (0.0, 1.0, 0.0)}


def failing_run(folder: Path) -> list[Episode]:
    """Write a run of one task: ten successes, then failures that slip in one cell and go elsewhere in another."""
    kinds = [("", "hint", True, "unfinished", "near")] * 10
    kinds += [("", "hint", False, "unfinished", "near")] * 3
    kinds += [("same_polarity_habitual", "", False, "wrong_object", "far")] * 4
    kinds += [("same_polarity_habitual", "hint", False, "idle", "far")]
    rows = [
        changed(
            language_runs.spoken("bowl", f"text {number}", object_type=obj, action_type=act, success=success),
            objects=THINGS[why],
            steps_file=f"steps/{number}.npz",
        )
        for number, (obj, act, success, why, _) in enumerate(kinds)
    ]
    made_runs.write_run(folder, rows)
    rng = np.random.default_rng(1)
    for row, (*_, way) in zip(rows, kinds, strict=True):
        path = np.linspace(0, 1, 60)[:, None] * np.array(PATHS[way]) + rng.normal(0, 0.01, (60, 3))
        write_steps(folder / row.files.steps, np.zeros((59, 7)), np.hstack([path, np.zeros((60, 5))]))
    return rows


def test_failures_are_counted_by_path_and_by_objects_on_each_axis(tmp_path: Path) -> None:
    failing_run(tmp_path / "run")
    page = read_page(write_report([tmp_path / "run"], tmp_path / "out").with_name("language.html"))
    by_path, by_objects = page.all("svg", class_="stack")
    assert parts(by_path) == {
        ("names", "preserved"): {"success": 10, "near": 3},
        ("names", "habitual"): {"far": 5},
        ("asked", "preserved"): {"far": 4},
        ("asked", "hint"): {"success": 10, "near": 3, "far": 1},
    }
    assert parts(by_objects) == {
        ("names", "preserved"): {"success": 10, "unfinished": 3},
        ("names", "habitual"): {"wrong-object": 4, "idle": 1},
        ("asked", "preserved"): {"wrong-object": 4},
        ("asked", "hint"): {"success": 10, "unfinished": 3, "idle": 1},
    }
    for drawing in (by_path, by_objects):
        rows = {}
        for rect in drawing.all("rect"):
            rows.setdefault(rect.attributes["y"], []).append(float(rect.attributes["width"]))
        widths = [sum(values) for values in rows.values()]
        assert widths == pytest.approx([widths[0]] * 4, abs=0.05), "shares of one bar are a whole"
    done = CliRunner().invoke(app, ["failures", str(tmp_path / "run"), "--json"])
    counted = Counter(row["path_class"] for row in json.loads(done.stdout)["rows"])
    assert counted == {"success": 10, "near": 3, "far": 5}


def parts(drawing: Element) -> dict[tuple[str, str], dict[str, int]]:
    """Return the counts that each bar tells, by axis and type."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    axis = ""
    for child in drawing.children:
        assert isinstance(child, Element)
        if "axis" in child.attributes.get("class", "").split():
            axis = {"how things are named": "names", "how it is asked": "asked"}[child.text]
        if child.tag == "g":
            kind, count = re.findall(r"^(.*?), .*: (\d+) of", child.all("title")[0].text)[0]
            found.setdefault((axis, kind), {})[child.attributes["class"].removeprefix("k-")] = int(count)
    return found


def test_without_states_only_objects_tell(tmp_path: Path) -> None:
    rows = [changed(row, steps_file="") for row in failing_run(tmp_path / "kept")]
    page = language_page(tmp_path, rows)
    (drawing,) = page.all("svg", class_="stack")
    assert drawing.attributes["aria-label"] == "failures by objects"
    assert "--record-steps" in page.all("section", id="failures")[0].text


# -- legibility --------------------------------------------------------------------------------------------------------
def mixed(over: str, under: str, share: float) -> str:
    channels = (share * int(over[i : i + 2], 16) + (1 - share) * int(under[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(channel):02x}" for channel in channels)


HEATS = [float(value) for value in re.findall(r"--heat: ([.\d]+);", CSS)]


@pytest.mark.parametrize(
    ("theme", "heat"), list(zip(THEMES, HEATS, strict=True)), ids=["light", "by system", "by choice"]
)
def test_figures_on_the_darkest_tile_and_on_every_bar_can_be_read(theme: dict[str, str], heat: float) -> None:
    shades = [("blue", heat), ("orange", heat)]
    shades += [(colour, float(o)) for colour, o in re.findall(r"--k: var\(--(\w+)\); --o: ([.\d]+);", CSS)]
    assert len(shades) == 2 + 8
    for colour, share in shades:
        assert contrast(theme["ink"], mixed(theme[colour], theme["paper"], share)) >= 4.5, (colour, share)


# -- a real run --------------------------------------------------------------------------------------------------------
def test_a_real_run_with_paraphrases_becomes_a_page(tmp_path: Path) -> None:
    texts, run = tmp_path / "texts.csv", tmp_path / "run"

    def call(*words: str) -> str:
        done = CliRunner().invoke(app, list(words))
        assert done.exit_code == 0, done.output
        return done.output

    call("paraphrase", "goal", "--cells", "none/hint,hab/none", "--per-task", "1", "--out", str(texts))
    call(
        "run", "goal", "--policy", "proctor.policies.probes:KeywordPolicy", "--paraphrases", str(texts), "-n", "1",
        "--limit", "4", "--max-steps", "3", "--record-steps", "--out", str(run),
    )  # fmt: skip
    page = read_page(Path(call("report", str(run)).strip()).with_name("language.html"))
    assert "0 of 4 episodes with 4 texts" in page.all("section", class_="headline")[0].text
    assert len(page.all("svg", class_="stack")) == 2
    assert page.all("svg", class_="distances") != []
