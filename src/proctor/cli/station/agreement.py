"""``proctor station stations``: do two stations give the same results?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proctor.analysis.stats import ClusterInterval
    from proctor.results import Episode
    from proctor.station.agreement import RolloutPairing, StationAgreement


def stations(
    first: Annotated[Path | None, typer.Argument(help="Session or run folder of one station.")] = None,
    second: Annotated[Path | None, typer.Argument(help="Session or run folder of the other.")] = None,
    margin: Annotated[float, typer.Option(min=0.001, max=1.0, help="Difference that would not matter.")] = 0.1,
    example: Annotated[
        bool, typer.Option("--example", help="VLA-REPLICA's two laboratories, from its Appendix G.")
    ] = False,
) -> None:
    """Compare two stations scene by scene: difference, agreement and kappa, each with an interval over scenes."""
    from proctor.core import ProctorError
    from proctor.station.agreement import agree, appendix_g, by_policy, pairs_of, pairs_of_rows

    if example == (first is not None) or (first is None) != (second is None):
        raise ProctorError("name two sessions or run folders, or --example alone")
    pairs: list[RolloutPairing]
    if first is not None and second is not None:
        pairs = pairs_of_rows(_rows(first), _rows(second))
    else:
        _print_tables()
        pairs = pairs_of(appendix_g())
    whole = agree(pairs, margin=margin)
    _print({**by_policy(pairs, margin=margin), "all policies": whole})
    typer.echo(whole.sentence)


def _print_tables() -> None:
    """Print the paper's Tables 4 (ID), 5 (OOD) and 6 (both laboratories, the tasks they share)."""
    from proctor.station.agreement import appendix_g, table_rates

    tasks: dict[str, list[str]] = {}
    for split in ("ID", "OOD"):
        tasks[split] = list(dict.fromkeys(r.task for r in appendix_g() if r.split == split))
    for number, split in ((4, "ID"), (5, "OOD")):
        rows = {task: table_rates("original", split, [task]) for task in tasks[split]}
        _print_rates(f"Table {number}: {split}, by task", {**rows, "all tasks": table_rates("original", split)})
    both = [rollout for rollout in appendix_g() if rollout.station == "reproduced"]
    policies = {rollout.policy for rollout in both}
    rows = {}
    for split in ("ID", "OOD"):
        shared = sorted({rollout.task for rollout in both if rollout.split == split})
        for station in ("original", "reproduced"):
            rates = table_rates(station, split, shared)
            rows[f"{station}, {split}: {', '.join(shared)}"] = {name: rates[name] for name in rates if name in policies}
    _print_rates("Table 6: two laboratories", rows)


def _print_rates(title: str, rows: dict[str, dict[str, float]]) -> None:
    from rich.console import Console
    from rich.table import Table

    policies = sorted({policy for rates in rows.values() for policy in rates})
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    table.add_column("", no_wrap=True)
    for policy in policies:
        table.add_column(policy, justify="right", no_wrap=True)
    for name, rates in rows.items():
        table.add_row(name, *(f"{rates[policy]:.1%}" for policy in policies))
    Console(width=120).print(table)
    typer.echo("")


def _rows(path: Path) -> list[Episode]:
    from proctor.core import ProctorError
    from proctor.results import read_episodes

    if not (path / "session.json").exists():
        return read_episodes(path)
    runs = sorted(folder for folder in path.glob("run/*") if folder.is_dir())
    if not runs:
        raise ProctorError(f"{path} is not revealed yet: run 'proctor station reveal {path}' first")
    return [row for run in runs for row in read_episodes(run)]


def _print(found: dict[str, StationAgreement]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("policy", no_wrap=True)
    for heading in ("pairs", "scenes", "first", "second", "difference", "agreement", "kappa", "McNemar p"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, result in found.items():
        table.add_row(
            name,
            str(result.n),
            str(result.scenes),
            f"{result.rate_first:.1%}",
            f"{result.rate_second:.1%}",
            _interval(result.difference, "+.2f"),
            _interval(result.agreement, ".2f"),
            _interval(result.kappa, "+.2f"),
            f"{result.p_mcnemar:.3f}",
        )
    Console(width=120).print(table)


def _interval(value: ClusterInterval, form: str) -> str:
    if value.low is None or value.high is None:
        return format(value.estimate, form)
    return f"{value.estimate:{form}} [{value.low:{form}}, {value.high:{form}}]"
