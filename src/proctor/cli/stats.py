"""``proctor stats``: scores with intervals, rankings from preferences, and the calibration of our own tests."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from . import _scores
from .compare import Columns, StepSeconds, say_of_plans

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Scores with intervals, rankings, and how well our tests keep their word.",
)


@app.command()
def summary(
    sources: Annotated[list[str], typer.Argument(metavar="RUN...", help="Run folders or result files.")],
    scores: Annotated[str, typer.Option(help="Scores, separated by commas.")] = "success,rmst,uph,mtbf",
    tau: Annotated[float | None, typer.Option(help="Horizon in seconds.", show_default="longest episode")] = None,
    reference: Annotated[str | None, typer.Option(help="Name of the policy that hrt is relative to.")] = None,
    conf: Annotated[float, typer.Option(help="Confidence of the intervals.")] = 0.95,
    kind: Annotated[
        Literal["auto", "bounded", "bca", "studentised", "percentile", "normal"],
        typer.Option(help="Kind of interval; auto is bounded for success, rmst and completion, else bca."),
    ] = "auto",
    estimator: Annotated[
        Literal["pooled", "wang_chang", "first_op"], typer.Option(help="How several operations of an episode count.")
    ] = "pooled",
    resamples: Annotated[int, typer.Option(help="Bootstrap samples.")] = 1000,
    seed: Annotated[int, typer.Option(help="Decides the resampling.")] = 0,
    columns: Columns = None,
    step_seconds: StepSeconds = 0.05,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print scores of every policy, macro-averaged over tasks, with episode-clustered intervals."""
    from proctor._arms import load_arms
    from proctor.analysis.stats import Cohort, horizon, score_interval, to_plain
    from proctor.core import ProctorError, did_you_mean

    loaded = load_arms(sources, columns=columns, step_s=step_seconds)
    if reference is not None and reference not in loaded.arms:
        raise ProctorError(f"--reference {reference!r} is no policy here{did_you_mean(reference, loaded.arms)}")
    horizon_s = horizon(list(loaded.arms.values())) if tau is None else tau
    names = [name.strip() for name in scores.split(",") if name.strip()]
    if not loaded.has_times:
        # Rates per hour and times between failures would be made of stand-ins.
        names = [name for name in names if name in ("success", "completion")]
        if not names:
            raise ProctorError(f"--scores {scores}: these rows have no times; only success and completion are known")
    cohort = None if reference is None else Cohort(reference, loaded.arms[reference], "all completed episodes")
    found: dict[str, dict[str, Any]] = {}
    for policy, arm in loaded.arms.items():
        counts = {label: int((arm.stratum == label).sum()) for label in arm.strata}
        found[policy] = {
            name: score_interval(
                arm,
                name,  # type: ignore[arg-type]
                tau=horizon_s,
                conf=conf,
                kind=None if kind == "auto" else kind,
                n_resamples=resamples,
                seed=seed,
                estimator=estimator,
                reference=cohort if name == "hrt" else None,
                aggregate="macro" if min(counts.values()) > 1 else "pooled",
            )
            for name in names
        }
    if as_json:
        typer.echo(json.dumps(to_plain(found), allow_nan=False, indent=2))
        return
    _print_scores(found, {name: arm.n_episodes for name, arm in loaded.arms.items()}, horizon_s, conf)
    say_of_plans(loaded)


app.command("scores")(_scores.scores)


@app.command()
def rank(
    preferences: Annotated[
        Path, typer.Argument(help="CSV with columns a, b, outcome (a, b or tie) and maybe session.")
    ],
    resamples: Annotated[int, typer.Option(help="Bootstrap samples of whole sessions.")] = 500,
    conf: Annotated[float, typer.Option(help="Confidence of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Decides the resampling.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Rank policies from pairwise preferences: Bradley-Terry with ties, intervals by session."""
    from proctor.analysis.stats import bradley_terry, to_plain
    from proctor.core import ProctorError

    try:
        with preferences.open(newline="", encoding="utf-8-sig") as handle:
            rows = list(csv.DictReader(handle))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ProctorError(f"{preferences}: cannot be read as CSV: {error}") from None
    missing = [name for name in ("a", "b", "outcome") if not rows or name not in rows[0]]
    if missing:
        raise ProctorError(f"{preferences}: needs rows with columns a, b and outcome; {missing[0]!r} is missing")
    found = bradley_terry(
        [(row["a"], row["b"], row["outcome"]) for row in rows],
        sessions=[row["session"] for row in rows] if "session" in rows[0] else None,
        n_resamples=resamples,
        conf=conf,
        seed=seed,
    )
    if as_json:
        typer.echo(json.dumps(to_plain(found), allow_nan=False, indent=2))
        return
    from rich.console import Console

    console = Console(highlight=False)
    for i, name in enumerate(found.names):
        span = f"{found.low[i]:+.2f} to {found.high[i]:+.2f}"
        console.print(f"{i + 1:>3}  {name:<24} {found.ratings[i]:+.2f}  ({span})")
    if found.n_failed_resamples:
        console.print(f"· {found.n_failed_resamples} of {resamples} resamples fell apart: too few comparisons")


@app.command()
def calibrate(
    trials: Annotated[int, typer.Option(help="Data sets per cell.")] = 400,
    sizes: Annotated[str, typer.Option(help="Episodes per cell.")] = "10,17,35",
    resamples: Annotated[int, typer.Option(help="Permutations per test.")] = 199,
    seed: Annotated[int, typer.Option(help="Decides everything.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Write the rows and the figure into this folder.")] = None,
) -> None:
    """Simulate policies that do not differ and count how often each test says that they do."""
    from proctor.analysis.stats import calibrate_tests

    numbers = [_whole(part) for part in sizes.split(",")]
    rows = calibrate_tests(sizes=numbers, trials=trials, n_resamples=resamples, seed=seed)
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for head in ("test", "generator", "n", "p ≤ 0.05", "p ≤ 0.10"):
        table.add_column(head, justify="left" if head in ("test", "generator") else "right")
    for row in rows:
        if row["alpha"] == 0.05:
            other = next(
                r for r in rows if r["alpha"] == 0.10 and all(r[k] == row[k] for k in ("test", "generator", "n"))
            )
            table.add_row(row["test"], row["generator"], str(row["n"]), f"{row['rate']:.3f}", f"{other['rate']:.3f}")
    Console(highlight=False).print(table)
    if out is not None:
        from proctor.report.plots import plot_calibration, save

        out.mkdir(parents=True, exist_ok=True)
        (out / "calibration.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        save(plot_calibration(rows), out / "calibration.svg")
        typer.echo(f"calibration.json and calibration.svg in {out}")


def _whole(text: str) -> int:
    from proctor.core import ProctorError

    try:
        return int(text)
    except ValueError:
        raise ProctorError(f"{text!r} is not a whole number") from None


def _print_scores(found: dict[str, dict[str, Any]], episodes: dict[str, int], tau: float, conf: float) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("policy", style="cyan", overflow="fold")
    for head in ("episodes", "score", "estimate", f"{100 * conf:g} % interval", "kind"):
        table.add_column(head, justify="left" if head in ("score", "kind") else "right", no_wrap=True)
    for policy, scores in found.items():
        for i, (name, x) in enumerate(scores.items()):
            first = (escape(policy), str(episodes[policy])) if i == 0 else ("", "")
            table.add_row(*first, name, f"{x.estimate:.4g}", f"{x.low:.4g} to {x.high:.4g}", x.kind)
    console = Console(highlight=False, soft_wrap=True)
    console.print(table)
    units = "success a share; rmst, mtbf in seconds; uph per hour; hrt a ratio"
    console.print(f"· horizon {tau:g} s, {100 * conf:g} % intervals over whole episodes; {units}", style="dim")
