"""The table at the end of a run: suite by level, errors beside successes and never among them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from proctor.record import Episode, read_episodes
from proctor.stats import wilson

if TYPE_CHECKING:
    from proctor.rollout import RunResult

_SHOWN_ERRORS = 5


def print_summary(result: RunResult) -> None:
    """Print success, cost and errors of everything in the run folder, and how to see more."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    episodes = read_episodes(result.path)
    groups: dict[tuple[str, str], list[Episode]] = defaultdict(list)
    for episode in episodes:
        groups[episode.suite, episode.level].append(episode)
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("suite", "level"):
        table.add_column(name, style="cyan", overflow="fold")
    for name in ("success", "95 % interval", "cost", "errors"):
        table.add_column(name, justify="right")
    for (suite, level), members in sorted(groups.items()):
        table.add_row(escape(suite), level, *_cells(members))
    if len(groups) > 1:
        table.add_section()
        table.add_row("all", "", *_cells(episodes))
    console = Console()
    console.print(table)
    failed = Counter((episode.status, episode.error) for episode in episodes if episode.status != "completed")
    for (status, error), count in failed.most_common(_SHOWN_ERRORS):
        console.print(f"[red]{status}[/red] ×{count}: {escape(error)}", highlight=False, soft_wrap=True)
    if len(failed) > _SHOWN_ERRORS:
        console.print(f"[red]and {len(failed) - _SHOWN_ERRORS} more kinds of error[/red]", highlight=False)
    number = "1 episode" if len(episodes) == 1 else f"{len(episodes)} episodes"
    console.print(f"{number} in {result.path}", style="dim", highlight=False, soft_wrap=True)


def _cells(episodes: Iterable[Episode]) -> tuple[str, str, str, str]:
    rows = list(episodes)
    completed = [row for row in rows if row.status == "completed"]
    errors = len(rows) - len(completed)
    mark = f"[red]{errors}[/red]" if errors else "0"
    if not completed:
        return "–", "–", "–", mark
    wins = sum(bool(row.success) for row in completed)
    low, high = wilson(wins, len(completed))
    # Only tasks that define a cost count, as in the report: an L0 task cannot be paid for.
    priced = [row.cost_total for row in completed if row.costs]
    cost = f"{sum(priced) / len(priced):.2f}" if priced else "–"
    return f"{wins}/{len(completed)}", f"{100 * low:.1f}–{100 * high:.1f} %", cost, mark
