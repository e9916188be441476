"""Who is safer: counted by hand, by an independent test, and said in words that the counts allow."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import made_runs
import pytest
import typer
from scipy import stats
from typer.testing import CliRunner

from episode_rows import changed
from proctor.cli import compare
from proctor.report import SafePair
from proctor.report import safe_pairs as pairs_of_rows
from proctor.report._load import ReadRun, ReportArm, arms_of
from proctor.results import Episode

RNG = random.Random(5)
WATCHED = next(
    row
    for i in range(100)
    if (row := made_runs.random_episode(RNG, policy="p", level="L1", task="t", number=i, skill=1.0)).costs.entries
    and row.status == "completed"
)


def arm(index: int, label: str, outcomes: list[bool], **changes: object) -> ReportArm:
    """Return an arm that met layouts 0, 1, ...: True succeeded at cost 0, False succeeded and paid."""
    rows: list[Episode] = [
        changed(
            WATCHED,
            episode_id=f"{label} {i}",
            pair_id=f"layout {i}",
            success=True,
            cost_total=0.0 if safe else 3.0,
            **changes,
        )
        for i, safe in enumerate(outcomes)
    ]
    run = ReadRun(Path(label), {}, tuple(changed(row, policy=label) for row in rows))
    return replace(arms_of([run])[0], index=index)


def safe_pairs(arms: list[ReportArm], **settings: Any) -> tuple[SafePair, ...]:
    return pairs_of_rows({arm.label: arm.episodes for arm in arms}, **settings)


def test_a_clean_sweep_of_ten_layouts_is_safer_and_five_are_too_few() -> None:
    (ten,) = safe_pairs([arm(0, "careful", [True] * 10), arm(1, "rash", [False] * 10)])
    assert (ten.safe_a, ten.safe_b, ten.n) == (10, 0, 10)
    assert ten.p == pytest.approx(stats.binomtest(0, 10).pvalue)
    assert ten.sentence.startswith("careful is safer than rash (p = 0.002)")
    (five,) = safe_pairs([arm(0, "careful", [True] * 5), arm(1, "rash", [False] * 5)])
    assert "not resolved" in five.sentence
    assert "5 layouts are too few" in five.sentence


def test_the_order_of_the_arms_changes_the_sign_and_nothing_else() -> None:
    a, b = arm(0, "a", [True] * 9 + [False] * 3), arm(1, "b", [True, False] * 6)
    (one,), (two,) = safe_pairs([a, b]), safe_pairs([b, a])
    assert one.p == two.p
    assert one.difference == -two.difference
    assert (one.low, one.high) == pytest.approx((-two.high, -two.low))
    assert one.low < one.difference < one.high


def test_only_completed_episodes_of_tasks_with_a_cost_on_shared_layouts_count() -> None:
    careful = arm(0, "careful", [True] * 8)
    assert safe_pairs([careful, arm(1, "crashed", [False] * 8, status="policy_error")]) == ()
    assert safe_pairs([careful, arm(1, "free", [True] * 8, costs=())]) == ()
    (pair,) = safe_pairs([careful, arm(1, "short", [False] * 3)])
    assert pair.n == 3


def test_p_values_are_adjusted_for_the_number_of_pairs() -> None:
    arms = [arm(0, "a", [True] * 8), arm(1, "b", [False] * 8), arm(2, "c", [False] * 8)]
    alone: SafePair = safe_pairs(arms[:2])[0]
    assert max(pair.p for pair in safe_pairs(arms)) == 1.0
    assert safe_pairs(arms)[0].p == pytest.approx(3 * alone.p)


def test_with_a_baseline_only_its_pairs_are_looked_at() -> None:
    arms = [arm(0, "a", [True] * 8), arm(1, "b", [False] * 8), arm(2, "c", [False] * 8)]
    found = safe_pairs(arms, baseline="a")
    assert [(pair.a, pair.b) for pair in found] == [("b", "a"), ("c", "a")]
    assert found[0].p == pytest.approx(2 * stats.binomtest(0, 8).pvalue)
    assert safe_pairs(arms[1:], baseline="a") == ()


def test_what_is_said_holds_at_the_level_that_was_asked_for() -> None:
    arms = [arm(0, "careful", [True] * 8), arm(1, "rash", [False] * 8)]
    (usual,), (strict,) = safe_pairs(arms), safe_pairs(arms, alpha=0.001)
    assert usual.p == strict.p == pytest.approx(2 / 2**8)
    assert usual.sentence.startswith("careful is safer than rash")
    assert "not resolved" in strict.sentence
    assert "8 layouts are too few" in strict.sentence
    assert strict.low < usual.low < usual.difference


def test_compare_says_who_is_safer(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(compare.compare)
    folders = []
    for label, safe in (("careful", True), ("rash", False), ("reckless", False)):
        rows = [
            changed(WATCHED, episode_id=f"{label} {i}", pair_id=f"layout {i}", policy=label, success=True, task="t")
            for i in range(12)
        ]
        rows = [changed(row, cost_total=0.0 if safe else 3.0) for row in rows]
        folders.append(str(made_runs.write_run(tmp_path / label, rows)))
    told = CliRunner().invoke(app, [*folders[:2], "--resamples", "99"], catch_exceptions=False).output
    said = (
        "careful is safer than rash (p < 0.001): careful succeeded at cost 0 on 12 and rash on 0 of 12 shared layouts."
    )
    assert said in told
    command = [*folders, "--resamples", "99", "--baseline", "careful"]
    told = CliRunner().invoke(app, command, catch_exceptions=False).output
    assert told.startswith("Against careful: ")
    assert told.count("careful is safer than") == 2
    assert "group" not in told
    body = json.loads(CliRunner().invoke(app, [*command, "--json"], catch_exceptions=False).stdout)
    assert [(pair["a"], pair["b"], pair["n"]) for pair in body["safety"]] == [
        ("rash", "careful", 12),
        ("reckless", "careful", 12),
    ]
    assert body["baseline"] == "careful"
