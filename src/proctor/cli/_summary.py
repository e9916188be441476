"""The table at the end of a run: suite by level, errors beside successes and never among them."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from proctor.analysis.stats import wilson
from proctor.results import Episode, costs_of, stream_episodes

if TYPE_CHECKING:
    from proctor.run.engine import RunResult

_SHOWN_ERRORS = 5


@dataclass(slots=True)
class _Group:
    """What the table says of some episodes; it is counted row by row, because a run may have very many."""

    episodes: int = 0
    completed: int = 0
    wins: int = 0
    priced: int = 0
    cost: float = 0.0

    def add(self, row: Episode) -> None:
        self.episodes += 1
        if row.status != "completed":
            return
        self.completed += 1
        self.wins += bool(row.outcome.success)
        # Only tasks that define a cost count, as in the report: an L0 task cannot be paid for.
        if costs_of(row).entries:
            self.priced += 1
            self.cost += costs_of(row).total

    def cells(self) -> tuple[str, str, str, str]:
        errors = self.episodes - self.completed
        mark = f"[red]{errors}[/red]" if errors else "0"
        if not self.completed:
            return "–", "–", "–", mark
        low, high = wilson(self.wins, self.completed)
        cost = f"{self.cost / self.priced:.2f}" if self.priced else "–"
        return f"{self.wins}/{self.completed}", f"{100 * low:.1f}–{100 * high:.1f} %", cost, mark


def print_summary(result: RunResult) -> None:
    """Print success, cost and errors of everything in the run folder, and how to see more."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    everything = _Group()
    groups: dict[tuple[str, str], _Group] = defaultdict(_Group)
    failed: Counter[tuple[str, str]] = Counter()
    for episode in stream_episodes(result.path):
        everything.add(episode)
        groups[episode.spec.suite, episode.spec.level].add(episode)
        if episode.status != "completed":
            failed[episode.status, episode.error] += 1
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("suite", "level"):
        table.add_column(name, style="cyan", overflow="fold")
    for name in ("success", "95 % interval", "cost", "errors"):
        table.add_column(name, justify="right")
    for (suite, level), group in sorted(groups.items()):
        table.add_row(escape(suite), level, *group.cells())
    if len(groups) > 1:
        table.add_section()
        table.add_row("all", "", *everything.cells())
    console = Console()
    console.print(table)
    for (status, error), count in failed.most_common(_SHOWN_ERRORS):
        console.print(f"[red]{status}[/red] ×{count}: {escape(error)}", highlight=False, soft_wrap=True)
    if len(failed) > _SHOWN_ERRORS:
        console.print(f"[red]and {len(failed) - _SHOWN_ERRORS} more kinds of error[/red]", highlight=False)
    number = "1 episode" if everything.episodes == 1 else f"{everything.episodes} episodes"
    console.print(f"{number} in {result.path}", style="dim", highlight=False, soft_wrap=True)
