"""Comparisons of arms whose truth is known, their JSON, and the files they can come from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from proctor.analysis.stats import (
    GENERATORS,
    EpisodeRow,
    Operations,
    StatsError,
    compare,
    episode_success,
    match_pairs,
    mcnemar_exact,
    operations,
    to_plain,
)
from proctor.core import ProctorError
from proctor.results.importers import read_csv, read_trials


def policy(
    name: str, share: float, seconds: float, *, n: int = 20, tasks: int = 3, seed: int = 0, noise: int = 0
) -> Operations:
    """One-operation episodes on shared layouts: a layout's difficulty is common to all policies."""
    hard = np.random.default_rng([seed, 7]).random((tasks, n))
    own = np.random.default_rng([seed, noise, len(name)])
    rows = []
    for task in range(tasks):
        for i in range(n):
            success = bool(0.7 * hard[task, i] + 0.3 * own.random() < share)
            time = float(np.clip(seconds * np.exp(own.normal(0, 0.3)), 1, 29))
            rows.append(
                EpisodeRow(
                    f"{task}-{i}",
                    time if success else 30.0,
                    (time,) if success else (),
                    ended="done" if success else "timeout",
                    stratum=f"task {task}",
                    pair=f"{task}-{i}",
                )
            )
    return operations(rows)


def test_a_better_policy_is_found_in_pairs() -> None:
    good, bad = policy("good", 0.9, 8), policy("bad", 0.5, 15, noise=1)
    found = compare({"good": good, "bad": bad}, n_resamples=999)
    pair = found.pairs[0]
    assert pair.verdict.outcome == "a_better"
    assert found.sentence.startswith("good is better than bad")
    assert pair.paired
    assert pair.n_pairs == 60
    assert pair.discordant is not None
    assert pair.success_p == mcnemar_exact(*pair.discordant)
    difference = (pair.discordant[0] - pair.discordant[1]) / 60
    assert pair.success_difference == pytest.approx(difference)
    assert pair.success_low < difference < pair.success_high
    assert [arm.name for arm in found.arms] == ["good", "bad"]
    assert [arm.letters for arm in found.arms] == ["a", "b"]
    assert pair.rmst_difference is not None
    assert pair.rmst_difference.high < 0


def test_the_order_of_arms_changes_names_only() -> None:
    good, bad = policy("good", 0.9, 8), policy("bad", 0.6, 12, noise=1)
    one, two = (compare(arms, n_resamples=499) for arms in ({"x": good, "y": bad}, {"y": bad, "x": good}))
    assert one.pairs[0].tests.ks.statistic == pytest.approx(two.pairs[0].tests.ks.statistic)
    assert one.pairs[0].verdict.outcome == "a_better"
    assert two.pairs[0].verdict.outcome == "b_better"
    assert one.arms == two.arms


def test_identical_policies_are_not_resolved_and_many_pairs_are_adjusted() -> None:
    same = policy("same", 0.7, 10)
    found = compare({"one": same, "two": same}, n_resamples=199, margin=0.1)
    assert found.pairs[0].verdict.outcome == "not_resolved"
    assert found.pairs[0].p_adjusted == 1.0
    assert {arm.letters for arm in found.arms} == {"a"}
    assert found.pairs[0].equivalence is not None
    assert found.pairs[0].equivalence.equivalent
    assert "within 10 points" in found.sentence
    arms = {name: policy(name, 0.7, 10, noise=i) for i, name in enumerate(["a", "bb", "ccc"])}
    many = compare(arms, n_resamples=199)
    for pair in many.pairs:
        assert pair.p_adjusted >= pair.tests.combined_p


def test_a_baseline_is_compared_with_every_other_and_nothing_else_is() -> None:
    arms = {name: policy(name, 0.6, 12, noise=i) for i, name in enumerate(["w", "x", "y"])}
    arms["good"] = policy("good", 0.95, 6, noise=9)
    alone = compare({"good": arms["good"], "x": arms["x"]}, n_resamples=999, intervals=False).pairs[0]
    found = compare(arms, n_resamples=999, intervals=False, baseline="x")
    assert [(pair.a, pair.b) for pair in found.pairs] == [("w", "x"), ("y", "x"), ("good", "x")]
    assert found.pairs[-1].tests.combined_p == alone.tests.combined_p
    # The smallest of three is tripled; of all six pairs it would be six-fold.
    assert found.pairs[-1].p_adjusted == pytest.approx(3 * alone.tests.combined_p)
    assert found.sentence == "Against x: 1 better, 2 not resolved, of 3, at 0.05 in all."
    assert {arm.letters for arm in found.arms} == {""}
    worse = compare({"x": arms["x"], "y": arms["y"], "good": arms["good"]}, n_resamples=999, baseline="good")
    assert worse.sentence == "Against good: 2 worse, 0 not resolved, of 2, at 0.05 in all."
    with pytest.raises(StatsError, match=r"'z' is not among the policies: w, x, y, good"):
        compare(arms, baseline="z")


def test_false_verdicts_stay_below_alpha() -> None:
    wrong = 0
    for trial in range(150):
        rng = np.random.default_rng([trial, 3])
        law = GENERATORS["clustered"]
        arms = {name: law.draw(8, rng) for name in ("a", "b")}
        wrong += compare(arms, tau=120.0, n_resamples=99, seed=trial, intervals=False).pairs[0].verdict.resolved
    assert wrong / 150 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 150)


def test_unmatched_episodes_and_tasks_are_left_out_and_counted() -> None:
    a, b = policy("a", 0.8, 10), policy("b", 0.8, 10, noise=1)
    short = b.select(np.arange(60) >= 5)
    x, y, left = match_pairs(a, short)
    assert (x.n_episodes, y.n_episodes, left) == (55, 55, 5)
    found = compare({"a": a, "b": short}, n_resamples=99)
    assert found.pairs[0].unmatched == 5
    without = b.select(b.stratum != "task 2")
    assert compare({"a": a, "b": without}, n_resamples=99).left_out_strata == ("task 2",)
    unpaired = compare({"a": replace(a, block=None), "b": b}, n_resamples=99).pairs[0]
    assert not unpaired.paired
    assert unpaired.discordant is None


def test_labels_that_repeat_are_blocks_not_pairs() -> None:
    a, b = policy("a", 0.9, 8), policy("b", 0.5, 14, noise=1)
    sessions = np.array([f"session {i % 4}" for i in range(60)])
    found = compare({"a": replace(a, block=sessions), "b": replace(b, block=sessions)}, n_resamples=199).pairs[0]
    assert not found.paired
    assert found.verdict.outcome == "a_better"
    one_sided = replace(b, block=None)
    assert not compare({"a": replace(a, block=sessions), "b": one_sided}, n_resamples=19).pairs[0].paired


def test_one_episode_per_task_is_enough_to_compare() -> None:
    a, b = policy("a", 0.9, 8, n=1, tasks=40), policy("b", 0.4, 15, n=1, tasks=40, noise=1)
    found = compare({"a": a, "b": b}, n_resamples=499)
    assert found.pairs[0].verdict.outcome == "a_better"
    single = compare({"a": a.select(np.arange(40) == 0), "b": b.select(np.arange(40) == 0)}, n_resamples=19)
    assert single.pairs[0].verdict.outcome == "not_resolved"
    assert single.pairs[0].rmst_difference is None


def test_what_cannot_be_compared_is_named() -> None:
    a = policy("a", 0.8, 10)
    with pytest.raises(StatsError, match="two arms"):
        compare({"a": a})
    other = replace(a, stratum=np.array(["elsewhere"] * 60))
    with pytest.raises(StatsError, match="no task in common"):
        compare({"a": a, "b": other})


def test_episode_success_needs_every_item() -> None:
    arm = operations(
        [EpisodeRow("x", 9.0, (1.0, 2.0), n_items=2, ended="done"), EpisodeRow("y", 9.0, (1.0,), n_items=2)]
    )
    assert episode_success(arm).tolist() == [True, False]
    plain = Operations.from_arrays([1.0, 2.0, np.inf, 5.0], [1, 1, 1, 0])
    assert episode_success(plain).tolist() == [True, True, False, False]


def test_json_is_strict() -> None:
    never = operations([EpisodeRow(str(i), 30.0) for i in range(4)])
    text = json.dumps(to_plain(compare({"a": never, "b": never}, n_resamples=19)), allow_nan=False)
    arm = json.loads(text)["arms"][0]
    assert arm["median_s"] is None
    assert arm["median_s_is_infinite"] is True
    assert "null" not in json.loads(text)["pairs"][0]["tests"]["ks"]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_csv_with_usual_and_mapped_columns(tmp_path: Path) -> None:
    file = write(tmp_path / "r.csv", "model,task,ok,time_s,duration_s,seed\nx,t,1,4.5,10,3\nx,t,0,,10,4\n")
    trials = read_csv(file, {"success": "ok"})
    assert trials.has_times
    one, two = trials.rows
    assert (one["policy"], one["stratum"], one["pair"], one["success_times_s"]) == ("x", "t", "3", (4.5,))
    assert (two["success_times_s"], two["duration_s"], two["ended"]) == ((), 10.0, "timeout")
    assert [EpisodeRow(**row).success for row in trials.rows] == [True, False]


def test_csv_of_episodes_with_several_items(tmp_path: Path) -> None:
    file = write(
        tmp_path / "phail.csv",
        "episode_id,object,success_times_s,lost_times_s,n_items,duration_s,outcome\n"
        "e1,Towels,10;35,50,4,120,Ran out of time\ne2,Towels,,,4,60,Safety\n",
    )
    first, second = (EpisodeRow(**row) for row in read_csv(file).rows)
    assert first.success_times_s == (10.0, 35.0)
    assert first.lost_times_s == (50.0,)
    assert (first.ended, second.ended) == ("timeout", "safety")
    assert operations([first, second]).times.tolist() == [10.0, 25.0, np.inf, 70.0, np.inf]


def test_lerobot_in_both_shapes(tmp_path: Path) -> None:
    old = {
        "per_episode": [{"episode_ix": i, "success": i % 2 == 0, "seed": 100 + i} for i in range(4)],
        "aggregated": {},
    }
    new = {
        "per_task": [
            {"task_group": "libero_goal", "task_id": t, "metrics": {"successes": [True, False, t == 0]}} for t in (0, 1)
        ],
        "overall": {},
    }
    first = read_trials(write(tmp_path / "old" / "eval_info.json", json.dumps(old)))
    assert [row["pair"] for row in first.rows] == ["seed 100", "seed 101", "seed 102", "seed 103"]
    assert not first.has_times
    write(tmp_path / "new" / "eval_info.json", json.dumps(new))
    second = read_trials(tmp_path / "new")
    assert [row["stratum"] for row in second.rows] == ["libero_goal/0"] * 3 + ["libero_goal/1"] * 3
    assert sum(len(row["success_times_s"]) for row in second.rows) == 3
    arm = operations([EpisodeRow(**row) for row in second.rows])
    assert episode_success(arm).sum() == 3


def test_vla_eval_aggregate_and_lines_keep_errors_apart(tmp_path: Path) -> None:
    episodes: list[dict[str, Any]] = [
        {"episode_id": 0, "metrics": {"success": True}, "steps": 100, "elapsed_sec": 9.0, "task_idx": 2},
        {"episode_id": 1, "metrics": {"success": False}, "steps": 300, "elapsed_sec": 30.0, "task_idx": 2},
        {"episode_id": 2, "metrics": {"success": False}, "steps": 7, "failure_reason": "env_step", "task_idx": 2},
    ]
    write(
        tmp_path / "libero_aggregate.json",
        json.dumps({"benchmark": "x", "tasks": [{"task": "t", "episodes": episodes}]}),
    )
    lines = "\n".join(json.dumps({"task_name": "t", **episode}) for episode in episodes)
    for source in (tmp_path, write(tmp_path / "e.jsonl", lines)):
        trials = read_trials(source)
        assert [row["status"] for row in trials.rows] == ["completed", "completed", "infra_error"]
        assert trials.rows[0]["success_times_s"] == (5.0,)
        assert trials.rows[1]["duration_s"] == 15.0
        assert len({row["pair"] for row in trials.rows}) == 3


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "policy,task\nx,t\n", "no column says success"),
        ("a.csv", "success,time_s\n1,abc\n", "a.csv:2: time_s is 'abc'"),
        ("a.csv", "success,time_s\n1,nan\n", "not a finite number"),
        ("a.csv", "success\nmaybe\n", "not 0 or 1"),
        ("a.csv", "success\n", "has no rows"),
        ("a.csv", "success\n1,2\n", "more cells"),
        ("a.json", "{", "cannot be read as JSON"),
        ("a.json", "{}", "has no tasks"),
        ("a.json", '{"per_task": [{"task_group": "x"}]}', "lacks 'task_id'"),
        ("a.json", '{"per_episode": []}', "has no episodes"),
        ("a.jsonl", "nonsense\n", "a.jsonl:1: is not JSON"),
        ("a.jsonl", '{"episode_id": 1}\n', "not an episode of vla-eval"),
        ("a.jsonl", "[1]\n", "no JSON object"),
        ("a.txt", "x", "unknown kind of file"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(ProctorError, match=words) as caught:
        read_trials(write(tmp_path / name, text))
    assert "\n" not in str(caught.value)


def test_missing_places_are_named(tmp_path: Path) -> None:
    with pytest.raises(ProctorError, match="no such file"):
        read_trials(tmp_path / "nowhere")
    with pytest.raises(ProctorError, match="holds no"):
        read_trials(tmp_path)
    file = write(tmp_path / "a.csv", "success\n1\n")
    with pytest.raises(ProctorError, match="did you mean 'success'"):
        read_csv(file, {"sucess": "success"})
    with pytest.raises(ProctorError, match="has no column 'succes'; did you mean 'success'"):
        read_csv(file, {"success": "succes"})
