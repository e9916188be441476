"""``proctor compare``: which policy is better, in one sentence, a table and a plot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from proctor._arms import LoadedArms
    from proctor.analysis.stats import Comparison, MacroTest
    from proctor.report import SafePair

Columns = Annotated[
    str | None, typer.Option(help="Names for CSV columns, as in policy=model,success=ok.", show_default="usual names")
]
StepSeconds = Annotated[float, typer.Option(help="Seconds per control step, for files that count steps.")]


def compare(
    sources: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Run folders, CSV, eval_info.json or vla-eval results.")
    ],
    alpha: Annotated[float, typer.Option(help="Chance of a wrong verdict, over all pairs together.")] = 0.05,
    tau: Annotated[float | None, typer.Option(help="Horizon in seconds.", show_default="longest episode")] = None,
    baseline: Annotated[
        str | None, typer.Option(help="Compare every other policy with this one only.", show_default="all pairs")
    ] = None,
    margin: Annotated[
        float | None, typer.Option(help="Also test whether success rates are within this share, as in 0.05.")
    ] = None,
    resamples: Annotated[int, typer.Option(help="Permutations and bootstrap samples.")] = 2000,
    seed: Annotated[int, typer.Option(help="Decides the resampling.")] = 0,
    estimator: Annotated[
        Literal["pooled", "wang_chang", "first_op"], typer.Option(help="How several operations of an episode count.")
    ] = "pooled",
    compat: Annotated[
        Literal["corrected", "paper"], typer.Option(help="Corrected definitions, or the PhAIL paper's own.")
    ] = "corrected",
    columns: Columns = None,
    step_seconds: StepSeconds = 0.05,
    plots: Annotated[Path | None, typer.Option(help="Write plots into this folder.")] = None,
    plot_format: Annotated[Literal["svg", "png"], typer.Option("--format", help="Kind of plots.")] = "svg",
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as JSON.")] = False,
) -> None:
    """Compare policies: who is better, by how much, and whether the data can tell.

    Episodes on the same layouts are compared in pairs. A verdict is "better", "differ, but neither is better
    throughout" or "not resolved"; the last never means equal. Where tasks have a cost, it is said as well who is safer.
    """
    from proctor._compare import compare_sources

    result = compare_sources(
        sources,
        alpha=alpha,
        tau=tau,
        baseline=baseline,
        margin=margin,
        resamples=resamples,
        seed=seed,
        estimator=estimator,
        compat=compat,
        columns=columns,
        step_seconds=step_seconds,
    )
    found, loaded = result.comparison, result.arms
    if as_json:
        typer.echo(json.dumps(result.as_dict(), allow_nan=False, indent=2))
    else:
        _print(found, loaded, result.safety)
    if plots is not None:
        from proctor.report.plots import write_comparison

        files = write_comparison(found, loaded.arms, plots, suffix=plot_format, timed=loaded.has_times)
        typer.echo(f"{len(files)} plots in {plots}", err=as_json)


def _print(found: Comparison, loaded: LoadedArms, safety: Sequence[SafePair]) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]{escape(found.sentence)}[/bold]")
    if len(found.pairs) > 1:
        for pair in found.pairs:
            console.print(f"  {escape(pair.sentence)}")
    for safe in safety:
        console.print(escape(safe.sentence))
    level = f"{100 * found.conf:g} %"
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("policy", style="cyan", overflow="fold", min_width=8)
    times = (f"mean time ({level})", "median") if loaded.has_times else ()
    groups = () if found.baseline else ("group",)
    for head in ("episodes", f"success ({level})", *times, *groups):
        table.add_column(head, justify="right", no_wrap=True)
    for arm in found.arms:
        share = f"{100 * arm.success:.1f} % ({100 * arm.success_low:.0f}–{100 * arm.success_high:.0f})"
        cells = [str(arm.n_episodes), share]
        if loaded.has_times:
            mean = arm.rmst
            cells.append("–" if mean is None else f"{mean.estimate:.2f} s ({mean.low:.1f}–{mean.high:.1f})")
            cells.append(f"{arm.median_s:.2f} s" if arm.median_s != float("inf") else "never")
        table.add_row(escape(arm.name), *cells, *((arm.letters,) if groups else ()))
    console.print(table)
    _print_pairs(found, console)
    _print_notes(found, loaded, console)
    if loaded.has_times:
        from proctor.analysis.stats import cdf_band
        from proctor.report.plots import text_cdf

        bands = {arm.name: cdf_band(loaded.arms[arm.name], tau=found.tau, n_resamples=2) for arm in found.arms}
        console.print("share of episodes done by time t", style="dim")
        console.print(escape(text_cdf(bands)), soft_wrap=True)


def _print_pairs(found: Comparison, console: Any) -> None:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("difference", style="cyan", overflow="fold")
    timed = any(pair.rmst_difference is not None for pair in found.pairs)
    for head in ("success, points", *(("mean time, s",) if timed else ()), "p"):
        table.add_column(head, justify="right")
    for pair in found.pairs:
        span = _span(100 * pair.success_low, 100 * pair.success_high)
        cells = [f"{100 * pair.success_difference:+.1f} ({span})"]
        if timed:
            mean = pair.rmst_difference
            cells.append("–" if mean is None else f"{mean.estimate:+.2f} ({_span(mean.low, mean.high)})")
        table.add_row(f"{escape(pair.a)} − {escape(pair.b)}", *cells, _p(pair.p_adjusted))
    console.print(table)


def _print_notes(found: Comparison, loaded: LoadedArms, console: Any) -> None:
    from rich.markup import escape

    notes = []
    if len(found.pairs) == 1:
        only = found.pairs[0]
        name = "McNemar's exact test" if only.paired else "permutation"
        parts = [f"success {_p(only.success_p)} ({name})"]
        if loaded.has_times:
            parts += [f"whole curves {_p_of(only.tests.ks)}", f"mean time {_p_of(only.tests.rmst)}"]
        notes.append(f"p of each test alone: {', '.join(parts)}")
    else:
        notes.append("p is adjusted for the number of pairs (Holm)")
    paired = [pair for pair in found.pairs if pair.paired]
    if paired:
        first = paired[0]
        won = (
            f"; {first.discordant[0]} won by the first, {first.discordant[1]} by the second" if first.discordant else ""
        )
        notes.append(f"compared in {first.n_pairs} pairs on the same layouts{won if len(found.pairs) == 1 else ''}")
    else:
        notes.append("compared without pairs: the runs share no layouts")
    if loaded.has_times:
        notes.append(f"mean time counts an episode that is not done by {found.tau:.4g} s as {found.tau:.4g} s")
    notes.append(f"{len(found.strata)} task{'s' if len(found.strata) != 1 else ''}, each with equal weight")
    left = sum(pair.unmatched for pair in found.pairs)
    if left:
        notes.append(f"{left} episodes without a partner are left out")
    if found.left_out_strata:
        notes.append(f"{len(found.left_out_strata)} tasks that not all policies ran are left out")
    for name, count in loaded.errors.items():
        if count:
            notes.append(f"{count} episodes of {escape(name)} ended in errors and are left out")
    if len(found.arms) > 2 and found.baseline is None:
        notes.append("policies that share a group letter are not resolved from one another")
    for note in notes:
        console.print(f"· {note}", style="dim")
    say_of_plans(loaded)


def say_of_plans(loaded: LoadedArms) -> None:
    """Say what rows of plans do not have, if there are any."""
    from proctor.report import PLAN_NOTE

    if any(row.kind == "plan" for rows in loaded.episodes.values() for row in rows):
        typer.echo(f"· {PLAN_NOTE}")


def _span(low: float, high: float) -> str:
    return f"{low:.1f} to {high:.1f}"


def _p_of(test: MacroTest) -> str:
    """A test whose statistic no relabelling can change (one episode per task and policy) has nothing to say."""
    return "–" if float(test.null.max() - test.null.min()) == 0 else _p(test.p)


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"
