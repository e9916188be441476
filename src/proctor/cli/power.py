"""``proctor power``: how many episodes a question needs, before running them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from .compare import Columns, StepSeconds

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="How many episodes a question needs.",
)
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Alpha = Annotated[float, typer.Option(help="Chance of a false alarm.")]
Power = Annotated[float, typer.Option(help="Chance to see the difference if it is there.")]


def _say(text: str, values: dict[str, Any], as_json: bool) -> None:
    typer.echo(json.dumps(values) if as_json else text)


@app.command()
def interval(
    half_width: Annotated[float, typer.Option(help="Half of the interval's width, as a share: 0.05 is 5 points.")],
    p: Annotated[float, typer.Option(help="Success rate expected; 0.5 is the worst case.")] = 0.5,
    conf: Annotated[float, typer.Option(help="Confidence.")] = 0.95,
    method: Annotated[Literal["wilson", "wald", "clopper_pearson"], typer.Option(help="Interval.")] = "wilson",
    as_json: AsJson = False,
) -> None:
    """Episodes for one success rate to be known within a margin."""
    from proctor.analysis.stats import interval_sample_size

    n = interval_sample_size(half_width, p, conf, method=method)
    points = f"±{100 * half_width:g} points"
    _say(f"{n} episodes: {points} at {100 * conf:g} % around a success rate of {p:g}", {"episodes": n}, as_json)


@app.command()
def pairs(
    discordant: Annotated[float, typer.Option(help="Share of layouts on which only one of the two succeeds.")],
    delta: Annotated[float, typer.Option(help="Difference of success rates to be seen, as a share.")],
    power: Power = 0.8,
    alpha: Alpha = 0.05,
    as_json: AsJson = False,
) -> None:
    """Pairs of episodes on the same layouts for McNemar's test (Connor 1987)."""
    from proctor.analysis.stats import connor_sample_size

    n = connor_sample_size(discordant, delta, power, alpha)
    text = f"{n} pairs ({2 * n} episodes): a difference of {100 * delta:g} points with power {power:g}"
    _say(text, {"pairs": n, "episodes": 2 * n}, as_json)


@app.command()
def shares(
    a: Annotated[float, typer.Option(help="Success rate of one policy.")],
    b: Annotated[float, typer.Option(help="Success rate of the other.")],
    power: Power = 0.8,
    alpha: Alpha = 0.05,
    as_json: AsJson = False,
) -> None:
    """Episodes per policy to tell two success rates apart without pairs."""
    from proctor.analysis.stats import two_proportion_sample_size

    n = two_proportion_sample_size(a, b, power, alpha)
    text = f"{n} episodes per policy: {100 * a:g} % against {100 * b:g} % with power {power:g}"
    _say(text, {"episodes_per_policy": n}, as_json)


@app.command()
def simulate(
    slower: Annotated[float, typer.Option(help="How much slower the other policy is: 1.3 is 30 % slower.")] = 1.3,
    sizes: Annotated[str, typer.Option(help="Episodes per policy and task, separated by commas.")] = "5,10,20,30",
    medians: Annotated[str, typer.Option(help="Median seconds of an operation on each task.")] = "40,52,80,70",
    budget: Annotated[float, typer.Option(help="Seconds of an episode.")] = 240.0,
    items: Annotated[int, typer.Option(help="Operations offered per episode.")] = 8,
    trials: Annotated[int, typer.Option(help="Simulated experiments per size.")] = 200,
    power: Power = 0.8,
    alpha: Alpha = 0.05,
    seed: Annotated[int, typer.Option(help="Decides the simulation.")] = 0,
    plot: Annotated[Path | None, typer.Option(help="Write the curve as .svg or .png.")] = None,
    as_json: AsJson = False,
) -> None:
    """Power of the time tests, from simulated policies that really differ as you say."""
    from proctor.core import ProctorError

    if not slower > 0:
        raise ProctorError(f"--slower is {slower}: it is a factor above 0")
    from math import log

    from proctor.analysis.stats import Synthetic, power_curve, to_plain

    base = Synthetic(medians_s=tuple(_numbers(medians, "--medians")), budget_s=budget, items=items)
    numbers = [int(x) for x in _numbers(sizes, "--sizes")]
    curve = power_curve(base, base.shifted(log(slower)), sizes=numbers, trials=trials, alpha=alpha, seed=seed)
    if as_json:
        typer.echo(json.dumps(to_plain(curve)))
    else:
        typer.echo(f"{'episodes per task':>18}" + "".join(f"{test:>10}" for test in curve.tests))
        for n, row in zip(curve.sizes, curve.power, strict=True):
            typer.echo(f"{n:>18}" + "".join(f"{x:>10.2f}" for x in row))
        for test in curve.tests:
            need = curve.smallest(test, power)
            answer = f"{need} per policy and task" if need else f"more than {max(numbers)}"
            typer.echo(f"{test}: {answer} for power {power:g}")
    if plot is not None:
        from proctor.report.plots import plot_power, save

        typer.echo(f"plot in {save(plot_power(curve, target=power), plot)}", err=as_json)


@app.command()
def detect(
    sources: Annotated[list[str], typer.Argument(metavar="RUN_A RUN_B", help="Two runs or result files.")],
    sizes: Annotated[str, typer.Option(help="Episodes per policy and task, separated by commas.")] = "5,10,15,20,25,30",
    tau: Annotated[float | None, typer.Option(help="Horizon in seconds.", show_default="longest episode")] = None,
    trials: Annotated[int, typer.Option(help="Subsamples per size.")] = 100,
    resamples: Annotated[int, typer.Option(help="Resamples per test.")] = 199,
    relabelled: Annotated[int, typer.Option(help="Relabelled data sets for the envelope of no difference.")] = 19,
    compat: Annotated[
        Literal["corrected", "paper"], typer.Option(help="Permutation test, or the paper's pooled bootstrap.")
    ] = "corrected",
    seed: Annotated[int, typer.Option(help="Decides the subsampling.")] = 0,
    columns: Columns = None,
    step_seconds: StepSeconds = 0.05,
    plot: Annotated[Path | None, typer.Option(help="Write the curves as .svg or .png.")] = None,
    as_json: AsJson = False,
) -> None:
    """Detection against sample size on data at hand, beside the same with labels permuted.

    Subsampling one data set detects differences between identical policies; only what lies above the permuted-label
    envelope is evidence. To plan, use 'simulate'.
    """
    from proctor._arms import load_arms
    from proctor.analysis.stats import detection_curve, horizon, to_plain
    from proctor.core import ProctorError

    loaded = load_arms(sources, columns=columns, step_s=step_seconds)
    if len(loaded.arms) != 2:
        raise ProctorError(f"detect takes two policies, here are {len(loaded.arms)}: {', '.join(loaded.arms)}")
    (name_a, a), (name_b, b) = loaded.arms.items()
    curve = detection_curve(
        a,
        b,
        sizes=[int(x) for x in _numbers(sizes, "--sizes")],
        tau=horizon([a, b]) if tau is None else tau,
        trials=trials,
        n_resamples=resamples,
        method="pooled_bootstrap" if compat == "paper" else "permutation",
        n_null=relabelled,
        seed=seed,
    )
    if as_json:
        typer.echo(json.dumps({**to_plain(curve), "above": curve.above.tolist()}))
    else:
        typer.echo("rate (no difference: 95 % of relabelled data lie below)")
        typer.echo(f"{'episodes per task':>18}" + "".join(f"{metric:>16}" for metric in curve.metrics))
        for i, n in enumerate(curve.sizes):
            cells = zip(curve.rate[i], curve.null_high[i], curve.above[i], strict=True)
            row = "".join(f"{f'{x:.2f}{chr(42) if up else chr(32)} ({high:.2f})':>16}" for x, high, up in cells)
            typer.echo(f"{n:>18}{row}")
        typer.echo("* above the envelope: evidence of a difference")
    if plot is not None:
        from proctor.report.plots import plot_detection, save

        path = save(plot_detection(curve, title=f"{name_a} and {name_b}"), plot)
        typer.echo(f"plot in {path}", err=as_json)


def _numbers(text: str, option: str) -> list[float]:
    from proctor.core import ProctorError

    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ProctorError(f"{option}: {text!r} is not a list of numbers, as in 5,10,20") from None
