"""What a run shows while it goes on: one live line on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from proctor.analysis.stats import wilson

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from proctor.results import Episode

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
