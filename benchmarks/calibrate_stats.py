"""Do our tests and intervals keep their word? Simulation, with figures for the documentation.

    python benchmarks/calibrate_stats.py --out docs/img/stats [--trials 600] [--seed 0]

Type-I error of every test on three generators at 10, 17 and 35 episodes per cell; coverage of 95 % intervals; error of
the sequential tests under continuous peeking; power against n; and the paper's detection protocol on identical policies
beside ours. Writes calibration.json and four figures. The default takes some minutes on one core.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from proctor.analysis.stats import (
    GENERATORS,
    BettingTest,
    PairedEProcess,
    SequentialComparison,
    Synthetic,
    calibrate_tests,
    detection_curve,
    power_curve,
    score_difference,
    score_interval,
)
from proctor.report.plots import plot_calibration, plot_detection, plot_power, save

SIZES = (10, 17, 35)
TAU_S = 240.0
SCORES = ("rmst", "success", "uph", "mtbf", "completion", "items_per_hour")


def coverage(trials: int, seed: int = 0) -> list[dict[str, Any]]:
    """Share of 95 % intervals that hold the truth, which is the score of 40,000 episodes per cell."""
    rows = []
    for name, law in GENERATORS.items():
        large = law.draw(40_000, np.random.default_rng([seed, 999]))
        truth = {score: score_interval(large, score, tau=TAU_S, kind="normal").estimate for score in SCORES}  # type: ignore[arg-type]
        del large
        for n in SIZES:
            inside = dict.fromkeys((*SCORES, "rmst difference", "success difference"), 0)
            for trial in range(trials):
                rng = np.random.default_rng([seed, n, trial])
                a, b = law.draw(n, rng), law.draw(n, rng)
                for score in SCORES:
                    found = score_interval(a, score, tau=TAU_S, n_resamples=400, seed=trial)  # type: ignore[arg-type]
                    inside[score] += found.low <= truth[score] <= found.high
                for score in ("rmst", "success"):
                    gap = score_difference(a, b, score, tau=TAU_S, n_resamples=400, seed=trial)  # type: ignore[arg-type]
                    inside[f"{score} difference"] += gap.low <= 0 <= gap.high
            rows += [
                {"score": score, "generator": name, "n": n, "coverage": count / trials, "trials": trials}
                for score, count in inside.items()
            ]
    return rows


def peeking(trials: int, length: int = 300, seed: int = 0) -> list[dict[str, Any]]:
    """Share of streams without any difference in which an e-process ever reaches 20, looking after every pair."""
    rows = []
    for p in (0.1, 0.5, 0.9):
        hits = dict.fromkeys(("pairs", "betting", "comparison"), 0)
        for trial in range(trials):
            rng = np.random.default_rng([seed, int(10 * p), trial])
            success = rng.random((length, 2)) < p
            score = np.where(success, rng.random((length, 2)), 0.0)
            processes = {
                "pairs": PairedEProcess(),
                "betting": BettingTest(),
            }
            top = dict.fromkeys(processes, 0.0)
            whole = SequentialComparison("a", "b", tau_s=1.0, n_max=length)
            for i in range(length):
                for name, process in processes.items():
                    e = process.update(*score[i]) if name == "betting" else process.update(*map(bool, success[i]))
                    top[name] = max(top[name], e)
                for side, name in enumerate("ab"):
                    if whole.decision == "continue":
                        time_s = float(1 - score[i, side]) if success[i, side] else None
                        whole.update(name, str(i), bool(success[i, side]), time_s)
            for name, e in top.items():
                hits[name] += e >= 20
            hits["comparison"] += whole.decision in ("a_better", "b_better")
        rows += [{"process": name, "p": p, "error": count / trials, "trials": trials} for name, count in hits.items()]
    return rows


def protocols(data_sets: int, trials: int, seed: int = 0) -> dict[str, Any]:
    """Identical policies, 38 episodes per cell: how often the paper's protocol detects, and how often ours does.

    Ours says that there is a difference at a size when the curve lies above its permuted-label envelope.
    """
    law = GENERATORS["clustered"]
    rates, above, curve = [], [], None
    for k in range(data_sets):
        rng = np.random.default_rng([seed, k, 77])
        a, b = law.draw(38, rng), law.draw(38, rng)
        curve = detection_curve(
            a,
            b,
            sizes=(5, 10, 15, 20, 25, 30, 45),
            tau=120.0,
            trials=trials,
            n_resamples=199,
            method="pooled_bootstrap",
            n_null=19,
            seed=k,
            threads=1,
        )
        rates.append(curve.rate)
        above.append(curve.above)
    assert curve is not None
    return {
        "sizes": curve.sizes.tolist(),
        "metrics": list(curve.metrics),
        "paper_protocol_detects": np.mean(rates, axis=0).round(3).tolist(),
        "above_our_envelope": np.mean(above, axis=0).round(3).tolist(),
        "data_sets": data_sets,
        "last": curve,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for calibration.json and the figures")
    parser.add_argument("--trials", type=int, default=600, help="data sets per cell; five times as many for the tests")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the simulated data; another one is an independent check"
    )
    arguments = parser.parse_args()
    started = time.perf_counter()
    # Tests are cheap: five times the data sets, so that a rate of 0.05 is known to about a point.
    tests = calibrate_tests(sizes=SIZES, trials=5 * arguments.trials, n_resamples=199, seed=arguments.seed)
    base = Synthetic()
    sizes = (5, 10, 15, 20, 30, 45)
    slower = power_curve(base, base.shifted(0.35), sizes=sizes, trials=max(20, arguments.trials // 5), tau=120.0)
    cross = base.shifted((0.25, -0.25, 0.25, -0.25))
    crossing = power_curve(base, cross, sizes=sizes, trials=max(20, arguments.trials // 5), tau=120.0)
    identical = protocols(max(2, arguments.trials // 25), 40, arguments.seed)
    last = identical.pop("last")
    result = {
        "type_1": tests,
        "coverage": coverage(max(20, arguments.trials // 2), arguments.seed),
        "peeking": peeking(arguments.trials, seed=arguments.seed),
        "power": {
            name: {"sizes": curve.sizes.tolist(), "tests": list(curve.tests), "power": curve.power.tolist()}
            for name, curve in (("35 % slower in log time", slower), ("faster on two, slower on two", crossing))
        },
        "identical_policies": identical,
        "trials": arguments.trials,
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "calibration.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    save(plot_calibration(tests), arguments.out / "calibration.svg")
    save(plot_power(slower), arguments.out / "power_slower.svg")
    save(plot_power(crossing), arguments.out / "power_crossing.svg")
    save(plot_detection(last, title="Identical policies, the paper's protocol"), arguments.out / "identical.svg")
    print(summary(result))
    print(f"{time.perf_counter() - started:.0f} s")


def summary(result: dict[str, Any]) -> str:
    """Return the figures as Markdown tables."""
    lines = [
        "| test | generator | " + " | ".join(f"n = {n}: .05 / .10" for n in SIZES) + " |",
        "|---|---|" + "---|" * 3,
    ]
    tests = list(dict.fromkeys(row["test"] for row in result["type_1"]))
    for test in tests:
        for generator in GENERATORS:
            cells = []
            for n in SIZES:
                rates = [
                    row["rate"]
                    for row in result["type_1"]
                    if (row["test"], row["generator"], row["n"]) == (test, generator, n)
                ]
                cells.append(" / ".join(f"{rate:.3f}" for rate in rates))
            lines.append(f"| {test} | {generator} | " + " | ".join(cells) + " |")
    lines += [
        "",
        "| 95 % interval of | generator | " + " | ".join(f"n = {n}" for n in SIZES) + " |",
        "|---|---|" + "---|" * 3,
    ]
    for score in dict.fromkeys(row["score"] for row in result["coverage"]):
        for generator in GENERATORS:
            cells = [
                f"{row['coverage']:.3f}"
                for n in SIZES
                for row in result["coverage"]
                if (row["score"], row["generator"], row["n"]) == (score, generator, n)
            ]
            lines.append(f"| {score} | {generator} | " + " | ".join(cells) + " |")
    lines += ["", "| e-process, peeking after every pair | p = 0.1 | p = 0.5 | p = 0.9 |", "|---|---|---|---|"]
    for process in dict.fromkeys(row["process"] for row in result["peeking"]):
        cells = [f"{row['error']:.3f}" for row in result["peeking"] if row["process"] == process]
        lines.append(f"| {process} | " + " | ".join(cells) + " |")
    same = result["identical_policies"]
    head = " | ".join(f"N = {n}" for n in same["sizes"])
    lines += ["", f"| identical policies | {head} |", "|---|" + "---|" * len(same["sizes"])]
    for m, metric in enumerate(same["metrics"]):
        paper = " | ".join(f"{row[m]:.2f}" for row in same["paper_protocol_detects"])
        ours = " | ".join(f"{row[m]:.2f}" for row in same["above_our_envelope"])
        lines += [f"| {metric}, the paper's protocol | {paper} |", f"| {metric}, above our envelope | {ours} |"]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
