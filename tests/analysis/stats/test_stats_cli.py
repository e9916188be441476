"""The commands on real files: what a person reads, what a program reads, and one line for every mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from proctor.cli import compare as compare_module
from proctor.cli import power, stats
from proctor.core import ProctorError

compare_app = typer.Typer()
compare_app.command()(compare_module.compare)


def call(app: typer.Typer, *arguments: str | Path) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "160"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def results(path: Path, policy: str, share: float, seconds: float, seed: int, n: int = 40) -> Path:
    rng = np.random.default_rng(seed)
    lines = ["policy,task,pair,success,time_s,duration_s"]
    for i in range(n):
        success = rng.random() < share
        time = min(29.0, seconds * float(np.exp(rng.normal(0, 0.3))))
        lines.append(f"{policy},task{i % 2},{i},{int(success)},{time if success else ''},{time if success else 30}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return results(tmp_path / "a.csv", "quick", 0.95, 6, 1), results(tmp_path / "b.csv", "slow", 0.5, 15, 2)


def test_compare_says_it_in_a_sentence_then_a_table_then_a_plot(files: tuple[Path, Path]) -> None:
    lines = call(compare_app, *files, "--resamples", "999").splitlines()
    assert lines[0].startswith("quick is better than slow (p = 0.001): ahead in time to success and success rate.")
    text = "\n".join(lines)
    assert text.index("is better") < text.index("episodes") < text.index("difference") < text.index("share of episodes")
    assert "success < 0.001 (McNemar's exact test)" in text
    assert "compared in 40 pairs" in text
    assert "100 % |" in text


def test_compare_json_is_complete_strict_and_repeatable(files: tuple[Path, Path]) -> None:
    text = call(compare_app, *files, "--json", "--resamples", "199")
    body = json.loads(text, parse_constant=lambda name: pytest.fail(f"bare {name}"))
    assert body["pairs"][0]["verdict"]["outcome"] == "a_better"
    assert body["ops_rule"]["ghost_clock"] == "restart"
    assert body["method"] == "permutation"
    assert text == call(compare_app, *files, "--json", "--resamples", "199")
    paper = json.loads(call(compare_app, *files, "--json", "--resamples", "199", "--compat", "paper"))
    assert (paper["method"], paper["ops_rule"]["ghost_clock"]) == ("pooled_bootstrap", "continue")


def test_compare_writes_plots_that_do_not_change(files: tuple[Path, Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        call(compare_app, *files, "--resamples", "99", "--plots", folder)
    names = sorted(path.name for path in one.iterdir())
    assert names == ["cdf.svg", "forest.svg", "horizon.svg", "letters.svg", "pp.svg", "qq.svg"]
    for name in names:
        assert (one / name).read_bytes() == (two / name).read_bytes()
        assert "quick" in (one / name).read_text(encoding="utf-8") or name in ("pp.svg", "qq.svg")
    call(compare_app, *files, "--resamples", "99", "--plots", two, "--format", "png")
    assert (two / "cdf.png").read_bytes().startswith(b"\x89PNG")


def test_success_only_files_are_compared_without_times(tmp_path: Path) -> None:
    for name, share in (("x", 20), ("y", 2)):
        info = {"per_episode": [{"episode_ix": i, "success": i < share, "seed": i} for i in range(24)]}
        (tmp_path / name).mkdir()
        (tmp_path / name / "eval_info.json").write_text(json.dumps(info), encoding="utf-8")
    text = call(compare_app, tmp_path / "x", tmp_path / "y" / "eval_info.json", "--resamples", "499")
    assert text.startswith("x is better than y")
    assert "median" not in text
    assert "share of episodes" not in text


def test_the_same_policy_twice_is_told_apart_by_its_file(tmp_path: Path) -> None:
    one, two = results(tmp_path / "monday.csv", "p", 0.9, 6, 1), results(tmp_path / "friday.csv", "p", 0.9, 6, 2)
    assert "p (friday)" in call(compare_app, one, two, "--resamples", "99")
    with pytest.raises(ProctorError, match="cannot be compared with itself"):
        call(compare_app, one, one, one)
    with pytest.raises(ProctorError, match="only one policy"):
        call(compare_app, one)
    with pytest.raises(ProctorError, match="not name=column"):
        call(compare_app, one, two, "--columns", "policy")
    with pytest.raises(ProctorError, match="alpha"):
        call(compare_app, one, two, "--alpha", "2")


def test_summary_rank_and_calibrate(files: tuple[Path, Path], tmp_path: Path) -> None:
    text = call(
        stats.app, "summary", *files, "--resamples", "99", "--scores", "success,rmst,hrt", "--reference", "slow"
    )
    assert "quick" in text
    assert "hrt" in text
    body = json.loads(call(stats.app, "summary", *files, "--resamples", "99", "--json"))
    assert body["quick"]["success"]["low"] < body["quick"]["success"]["estimate"]
    with pytest.raises(ProctorError, match="did you mean 'slow'"):
        call(stats.app, "summary", *files, "--reference", "slwo")
    table = tmp_path / "preferences.csv"
    rows = ["a,b,outcome,session"] + [f"x,y,{'a' if i % 3 else 'b'},{i // 4}" for i in range(24)]
    table.write_text("\n".join(rows), encoding="utf-8")
    assert call(stats.app, "rank", table, "--resamples", "50").split()[:2] == ["1", "x"]
    table.write_text("a,b\nx,y\n", encoding="utf-8")
    with pytest.raises(ProctorError, match="'outcome' is missing"):
        call(stats.app, "rank", table)
    pytest.importorskip("matplotlib")
    text = call(
        stats.app, "calibrate", "--trials", "4", "--sizes", "5", "--resamples", "19", "--out", tmp_path / "calibration"
    )
    assert "macro KS" in text
    rows_found: list[dict[str, Any]] = json.loads((tmp_path / "calibration" / "calibration.json").read_text())
    assert len(rows_found) == 8 * 3 * 2
    assert (tmp_path / "calibration" / "calibration.svg").exists()


def test_power_answers_in_episodes(files: tuple[Path, Path], tmp_path: Path) -> None:
    assert call(power.app, "interval", "--half-width", "0.05", "--p", "0.7").startswith("320 episodes")
    assert call(power.app, "pairs", "--discordant", "0.1", "--delta", "0.05").startswith("312 pairs (624 episodes)")
    assert json.loads(call(power.app, "shares", "--a", "0.5", "--b", "0.7", "--json"))["episodes_per_policy"] == 93
    text = call(power.app, "simulate", "--slower", "2.5", "--sizes", "4,12", "--trials", "12")
    assert "for power 0.8" in text
    pytest.importorskip("matplotlib")
    text = call(
        power.app,
        *("detect", *files, "--sizes", "5,10", "--trials", "10", "--resamples", "39", "--relabelled", "3"),
        *("--plot", tmp_path / "d.svg"),
    )
    assert "*" in text
    assert (tmp_path / "d.svg").exists()
    with pytest.raises(ValueError, match="delta"):
        call(power.app, "pairs", "--discordant", "0.1", "--delta", "0.5")
    with pytest.raises(ProctorError, match="list of numbers"):
        call(power.app, "simulate", "--sizes", "5,x")
