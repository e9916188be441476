"""``proctor stats scores``: progress, intention and faults of knowledge tasks, and changes from track to track."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from proctor.report import Scored, ScorePage


def scores(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders made by 'proctor run'.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print progress, intention and faults of every policy and track, and changes on the scenes that tracks share."""
    from proctor.report import read_scores

    found = read_scores(runs)
    if as_json:
        typer.echo(json.dumps(_plain(found), allow_nan=False, indent=2))
        return
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    console.print(_score_table(found))
    for line in _legend(found):
        console.print(f"· {line}", style="dim")
    for scored in found.arms:
        if scored.faults:
            kinds = ", ".join(f"{kind} {n}" for kind, n in scored.faults)
            console.print(f"· faults of {scored.arm.label}, by episodes: {kinds}")
        if scored.chance is not None:
            console.print(f"· first approach of {scored.arm.label} by chance: {scored.chance:.3f}", style="dim")
    if found.changes:
        console.print(_change_table(found))
        console.print("· second track less first, same scenes; p: sign-flip test, Holm per score", style="dim")


def _score_table(found: ScorePage) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from proctor.report import SCORES

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("track", overflow="fold")
    table.add_column("policy", style="cyan", overflow="fold")
    for head in ("score", "episodes", "mean", "95 % interval"):
        table.add_column(head, justify="left" if head == "score" else "right", no_wrap=True)
    groups = [("all", found.arms), *(found.suites if len(found.suites) > 1 else ())]
    for suite, members in groups:
        for scored in members:
            for i, name in enumerate(n for n in SCORES if n in scored.scores):
                score = scored.scores[name]
                first = (suite, escape(scored.arm.label)) if i == 0 else ("", "")
                span = f"{score.interval[0]:.3f} to {score.interval[1]:.3f}"
                table.add_row(*first, name, str(score.n), f"{score.rate:.3f}", span)
    return table


def _legend(found: ScorePage) -> list[str]:
    """Say what the scores in the table are."""
    near = " or ".join(f"{100 * eps:g} cm" for eps in found.eps_m)
    meanings = {
        "progress": "share of sub-goals reached, perhaps undone again; progress_final: of those that hold at the end",
        "intention": f"share of targets to whose surface the hand came within {near} while nothing else was nearer",
        "intention_first": "share of episodes in which the first thing approached was a target",
        "intention_paper": "share of targets to whose origin the hand came within 15 cm (VLABench's rule)",
    }
    shown = {name for scored in found.arms for name in scored.scores}
    return [f"{name}: {meaning}" for name, meaning in meanings.items() if name in shown]


def _change_table(found: ScorePage) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for head in ("policy", "tracks", "score", "scenes", "change", "95 % interval", "p"):
        table.add_column(head, justify="left" if head in ("policy", "tracks", "score") else "right")
    for c in found.changes:
        span = f"{c.interval[0]:+.3f} to {c.interval[1]:+.3f}"
        p = "< 0.001" if c.p < 0.001 else f"{c.p:.3f}"
        tracks = f"{c.first} → {c.second}"
        table.add_row(escape(c.policy), tracks, c.score, str(c.n), f"{c.change:+.3f}", span, p)
    return table


def _plain(found: ScorePage) -> dict[str, Any]:
    def member(scored: Scored) -> dict[str, Any]:
        scores = {
            n: {"mean": s.rate, "low": s.interval[0], "high": s.interval[1], "n": s.n} for n, s in scored.scores.items()
        }
        return {"policy": scored.arm.label, "scores": scores, "chance": scored.chance, "faults": dict(scored.faults)}

    return {
        "policies": [member(scored) for scored in found.arms],
        "tracks": {suite: [member(scored) for scored in members] for suite, members in found.suites},
        "changes": [
            {
                "policy": c.policy,
                "first": c.first,
                "second": c.second,
                "score": c.score,
                "change": c.change,
                "low": c.interval[0],
                "high": c.interval[1],
                "p": c.p,
                "scenes": c.n,
            }
            for c in found.changes
        ],
        "intention_eps_m": list(found.eps_m),
    }
