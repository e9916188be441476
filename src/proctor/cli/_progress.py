"""What a run prints: one live line while it goes on (a plain line now and then off a terminal), a table at its end."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from proctor.analysis.stats import wilson
from proctor.results import Episode, costs_of, stream_episodes

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from proctor.report import PlanSummary
    from proctor.results import Episode
    from proctor.run.engine import RunResult


_PLAIN_EVERY_S = 10.0


class Count:
    """Running totals of this session: rate, time left, successes."""

    def __init__(self) -> None:
        self.total = self.done = self.ran = self.completed = self.successes = self.errors = 0
        self._began = time.monotonic()

    def begin(self, total: int, done: int) -> None:
        """Start the clock."""
        self.total, self.done = total, done
        self._began = time.monotonic()

    def add(self, episode: Episode) -> None:
        """Count an episode."""
        self.done += 1
        self.ran += 1
        if episode.status == "completed":
            self.completed += 1
            self.successes += bool(episode.outcome.success)
        else:
            self.errors += 1

    @property
    def text(self) -> str:
        """Rate, time left, success with its interval, errors."""
        rate = self.ran / max(time.monotonic() - self._began, 1e-9)
        parts = []
        if self.ran:
            parts.append(f"{rate:.2f} ep/s" if rate < 100 else f"{rate:.0f} ep/s")
            parts.append(f"ETA {duration((self.total - self.done) / rate)}")
        if self.completed:
            low, high = wilson(self.successes, self.completed)
            parts.append(f"success {self.successes}/{self.completed} ({100 * low:.0f}–{100 * high:.0f} %)")
        if self.errors:
            parts.append(f"errors {self.errors}")
        return "  ".join(parts)


def duration(seconds: float) -> str:
    """Return h:mm:ss or m:ss."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _headline(title: str, done: int) -> str:
    return title + (f", {done} already on record" if done else "")


class PlainProgress:
    """A line every ten seconds and one at the end, for logs."""

    def __init__(self, title: str) -> None:
        self._title, self._count, self._last = title, Count(), 0.0
        self._standing = ""

    def begin(self, total: int, done: int) -> None:
        """Say what will run."""
        self._count.begin(total, done)
        self._last = time.monotonic()
        print(_headline(self._title, done), flush=True)

    def row(self, episode: Episode) -> None:
        """Count, and speak if it is time."""
        self._count.add(episode)
        now = time.monotonic()
        if now - self._last >= _PLAIN_EVERY_S or self._count.done == self._count.total:
            self._last = now
            print(f"  {self._count.done}/{self._count.total}  {self._count.text}", flush=True)

    def note(self, text: str) -> None:
        """Say what happened."""
        print(f"  {text}", flush=True)

    def standing(self, text: str) -> None:
        """Say how the hosts stand, when that has changed."""
        if text != self._standing:
            self._standing = text
            self.note(text)


class LiveProgress:
    """A bar with rate, time left and running success."""

    def __init__(self, title: str, bar: RichProgress) -> None:
        self._title, self._count, self._bar = title, Count(), bar
        self._task: TaskID | None = None
        self._standing = ""

    def begin(self, total: int, done: int) -> None:
        """Show the bar."""
        self._count.begin(total, done)
        self._bar.console.print(_headline(self._title, done), style="bold", markup=False, highlight=False)
        self._task = self._bar.add_task("", total=total, completed=done, text="starting workers")

    def row(self, episode: Episode) -> None:
        """Advance the bar."""
        self._count.add(episode)
        if self._task is not None:
            self._show()

    def note(self, text: str) -> None:
        """Print a line above the bar."""
        self._bar.console.print(text, markup=False, highlight=False)

    def standing(self, text: str) -> None:
        """Show how the hosts stand, beside the figures."""
        self._standing = text
        self._show()

    def _show(self) -> None:
        if self._task is not None:
            parts = [part for part in (self._count.text, self._standing) if part]
            self._bar.update(self._task, completed=self._count.done, text="  ".join(parts))


@contextlib.contextmanager
def progress_for(title: str) -> Iterator[PlainProgress | LiveProgress]:
    """Yield the progress that suits stdout."""
    if not sys.stdout.isatty():
        yield PlainProgress(title)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as RichProgress

    columns = (
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[text]}", markup=False),
    )
    with RichProgress(*columns) as bar:
        yield LiveProgress(title, bar)


# The table at the end of a run: suite by level, errors beside successes and never among them.

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


# The table of a planning examination.


def print_plan_summary(summary: PlanSummary) -> None:
    """Print figures per dimension and in all, the classes of answers, tokens and cost."""
    from rich.console import Console
    from rich.table import Table

    from proctor.report import points

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("dimension")
    groups = [*summary.groups, *([summary.whole] if len(summary.groups) > 1 else [])]
    for name in ("n", "exact %", "executable %", "plan score", "paper's score", "no plan %"):
        table.add_column(name, justify="right")
    if summary.whole.played:
        table.add_column("played %", justify="right")
        table.add_column("reference played %", justify="right")
    for group in groups:
        figures = [group.exact, group.executable, group.score, group.paper, group.no_plan]
        if summary.whole.played:
            figures += [group.played, group.reference_played]
        errors = f" (+{group.errors} errors)" if group.errors else ""
        table.add_row(group.name, f"{group.answers}{errors}", *map(points, figures))
    Console(width=max(Console().width, 120)).print(table)
    typer.echo("Answers: " + ", ".join(f"{name} {count}" for name, count in summary.verdicts.items()))
    if summary.tokens_in or summary.tokens_out:
        cost = "" if summary.price_usd is None else f", cost {summary.price_usd:.4f}"
        unknown = f" ({summary.uncounted} answers without counts)" if summary.uncounted else ""
        typer.echo(f"Tokens: {summary.tokens_in} in, {summary.tokens_out} out{unknown}{cost}")
