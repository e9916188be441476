"""Annotation sheets there and back, and Gwet's AC1 against its formula and against two raters."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from proctor.analysis.stats import StatsError, gwet_ac1, gwet_ac1_many
from proctor.analysis.words import RatedItem, consensus, draw_items, read_sheets, write_sheet
from proctor.cli import app
from proctor.tasks.words import LanguageError

PAIRS = [("open the drawer", f"please open the drawer {n}") for n in range(30)]


def fill(path: Path, answers: dict[str, list[str]]) -> None:
    """Write the answers of each annotator into a sheet, line by line."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    for annotator, given in answers.items():
        for row, answer in zip(rows, given, strict=False):
            row[annotator] = answer
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_what_was_drawn_is_read_back(tmp_path: Path) -> None:
    items = draw_items([*PAIRS, *PAIRS], 10, seed=1)
    assert items == draw_items(PAIRS, 10, seed=1)
    assert items != draw_items(PAIRS, 10, seed=2)
    assert len({item.item for item in items}) == 10
    sheet = tmp_path / "sheet.csv"
    write_sheet(sheet, items, ["ann", "bob"])
    assert [item.answers for item in read_sheets([sheet])] == [(None, None)] * 10
    fill(sheet, {"ann": ["O", "x", "yes", "0", ""], "bob": ["1", "NO"]})
    found = read_sheets([sheet])
    assert [(i.item, i.original, i.paraphrase) for i in found] == [(i.item, i.original, i.paraphrase) for i in items]
    assert [item.answers for item in found[:5]] == [
        (True, True),
        (False, False),
        (True, None),
        (False, None),
        (None,) * 2,
    ]


def test_sheets_of_several_people_are_put_together_in_any_order(tmp_path: Path) -> None:
    items = draw_items(PAIRS, 6, seed=1)
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    write_sheet(first, items, ["ann"])
    write_sheet(second, items[::-1], ["bob"])
    fill(first, {"ann": ["O"] * 6})
    fill(second, {"bob": ["X", *["O"] * 5]})
    found = {item.item: item.answers for item in read_sheets([first, second])}
    assert found[items[5].item] == (True, False)
    assert found[items[0].item] == (True, True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("annotator_1,", "annotator_1,\n"), "no annotation sheet|cells|does not|is not of"),
        (("item,", "thing,"), r"has no column 'item': it is no annotation sheet"),
        (("please", "kindly"), r":2: item '\w{10}' is not of these texts: leave the first columns"),
    ],
)
def test_spoilt_sheets(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    sheet = tmp_path / "sheet.csv"
    write_sheet(sheet, draw_items(PAIRS, 3, seed=1), ["annotator_1", "annotator_2"])
    sheet.write_text(sheet.read_text(encoding="utf-8-sig").replace(*change))
    with pytest.raises(LanguageError, match=message) as caught:
        read_sheets([sheet])
    assert "\n" not in str(caught.value)


def test_answers_that_are_none_and_answers_that_contradict(tmp_path: Path) -> None:
    items = draw_items(PAIRS, 3, seed=1)
    sheet, copy = tmp_path / "sheet.csv", tmp_path / "copy.csv"
    for path in (sheet, copy):
        write_sheet(path, items, ["ann"])
    fill(sheet, {"ann": ["maybe"]})
    with pytest.raises(LanguageError, match=r"sheet.csv:2: ann says 'maybe': write O \(same behaviour\) or X \(not\)"):
        read_sheets([sheet])
    fill(sheet, {"ann": ["O"]})
    fill(copy, {"ann": ["X"]})
    with pytest.raises(LanguageError, match=r"copy.csv:2: ann answered item \w+ twice, and differently"):
        read_sheets([sheet, copy])
    fill(copy, {"ann": [""]})
    assert read_sheets([sheet, copy])[0].answers == (True,)


def test_what_cannot_be_drawn_or_written(tmp_path: Path) -> None:
    with pytest.raises(LanguageError, match="31 items are asked for: there are 30 distinct pairs"):
        draw_items(PAIRS, 31, seed=0)
    with pytest.raises(LanguageError, match="is empty"):
        draw_items([("open", "")], None, seed=0)
    for names in ([], ["a", "a"], ["item"], ["a", " "]):
        with pytest.raises(LanguageError, match="distinct names"):
            write_sheet(tmp_path / "x.csv", draw_items(PAIRS, 1, seed=0), names)
    with pytest.raises(LanguageError, match="cannot write"):
        write_sheet(tmp_path / "no" / "x.csv", draw_items(PAIRS, 1, seed=0), ["a"])


def test_consensus_on_both_sides_of_its_thresholds() -> None:
    def answered(yes: int, of: int) -> RatedItem:
        return RatedItem("i", "o", "p", (True,) * yes + (False,) * (of - yes))

    items = [
        answered(8, 15),
        answered(7, 15),
        answered(12, 15),
        answered(11, 15),
        answered(1, 2),
        RatedItem("i", "o", "p", (None,)),
    ]
    assert (consensus(items).passed, consensus(items).items) == (3, 5)
    assert consensus(items, 0.8).passed == 1
    assert consensus(items, 0.8).share == pytest.approx(0.2)


def test_many_raters_of_whom_there_are_two_are_two_raters() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        a, b = rng.integers(0, 3, size=(2, 40)).tolist()
        many = gwet_ac1_many(list(zip(a, b, strict=True)), categories=[0, 1, 2])
        assert many.estimate == pytest.approx(gwet_ac1(a, b, categories=[0, 1, 2]))
        assert many.low is not None
        assert many.low < many.estimate < (many.high or 0)


def test_the_formula_on_a_table_that_can_be_done_by_hand() -> None:
    # Three raters, two items: all yes; two yes, one no. p_a = (1 + 1/3) / 2, pi_yes = (1 + 2/3) / 2 = 5/6.
    found = gwet_ac1_many([["y", "y", "y"], ["y", "y", "n"]])
    expected = 2 * (5 / 6) * (1 / 6)
    assert found.estimate == pytest.approx((2 / 3 - expected) / (1 - expected))


def test_ac1_withstands_skew_and_missing_ratings() -> None:
    skewed = [[True] * 15 for _ in range(190)] + [[True] * 12 + [False] * 3 for _ in range(15)]
    found = gwet_ac1_many(skewed, categories=[True, False])
    assert found.estimate > 0.95
    missing = gwet_ac1_many([*skewed, [True, *[None] * 14], [None] * 15], categories=[True, False])
    assert missing.estimate == pytest.approx(found.estimate, abs=1e-3)
    assert gwet_ac1_many([[1, 1], [1, 1]]).estimate == 1.0
    assert gwet_ac1_many([[1, 1], [1, 1]], categories=[0, 1]).estimate == 1.0
    with pytest.raises(StatsError, match="at least two raters"):
        gwet_ac1_many([[True], [None]])
    with pytest.raises(StatsError, match="not among the categories"):
        gwet_ac1_many([[True, 2]], categories=[True, False])


def test_the_command_writes_and_reads(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    with pairs.open("w", newline="") as file:
        csv.writer(file).writerows([("original_instruction", "new_instruction"), *PAIRS])
    sheet = tmp_path / "sheet.csv"
    runner = CliRunner()
    made = runner.invoke(app, ["annotate", "write", str(pairs), "-n", "12", "--annotators", "4", "-o", str(sheet)])
    assert made.exit_code == 0, made.output
    assert "12 pairs for 4 annotators" in made.output
    fill(sheet, {f"annotator_{n}": ["O"] * 11 + ["X" if n > 2 else "O"] for n in range(1, 5)})
    read = runner.invoke(app, ["annotate", "read", str(sheet), "--json"])
    assert read.exit_code == 0, read.output
    body = json.loads(read.output)
    assert body["majority"] == {"passed": 11, "items": 12, "share": pytest.approx(11 / 12)}
    assert body["strict"]["passed"] == 11
    assert [item["yes"] for item in body["doubted"]] == [2]
    plain = runner.invoke(app, ["annotate", "read", str(sheet)])
    assert f"Gwet's AC1: {body['ac1']:.3f}" in plain.output
