"""How far the questions are: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._progress import duration

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

_PLAIN_EVERY_S = 10.0
_ERRORS = ("timeout", "error")


class PlanProgress:
    """Counts answers; shows them on a bar if there is one."""

    def __init__(self, title: str, bar: RichProgress | None = None) -> None:
        self._title, self._bar = title, bar
        self._task: TaskID | None = None
        self._total = self._done = self._new = self._exact = self._runs = 0
        self._outcomes: Counter[str] = Counter()
        self._began = self._last = time.monotonic()

    def begin(self, total: int, done: int) -> None:
        """Say what will be asked."""
        self._total, self._done, self._new = total, done, 0
        self._began = self._last = time.monotonic()
        text = self._title + (f", {done} already answered" if done else "")
        if self._bar is None:
            print(text, flush=True)
        else:
            self._bar.console.print(text, style="bold", markup=False, highlight=False)
            self._task = self._bar.add_task("", total=total, completed=done, text="setting up")

    def line(self, line: Mapping[str, Any]) -> None:
        """Count an answer or an error."""
        self._done += 1
        self._new += 1
        self._outcomes[str(line["outcome"])] += 1
        self._exact += bool(line.get("exact"))
        self._runs += bool(line.get("runs"))
        now = time.monotonic()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._done, text=self._text())
        elif now - self._last >= _PLAIN_EVERY_S or self._done == self._total:
            self._last = now
            print(f"  {self._done}/{self._total}  {self._text()}", flush=True)

    def note(self, text: str) -> None:
        """Say what happened."""
        if self._bar is None:
            print(f"  {text}", flush=True)
        else:
            self._bar.console.print(text, markup=False, highlight=False)

    def _text(self) -> str:
        rate = self._new / max(time.monotonic() - self._began, 1e-9)
        answered = self._new - sum(self._outcomes[name] for name in _ERRORS)
        parts = [f"ETA {duration((self._total - self._done) / rate)}"] if rate > 0 else []
        if answered:
            parts.append(f"exact {self._exact}/{answered}  executable {self._runs}/{answered}")
        parts += [f"{name} {count}" for name, count in sorted(self._outcomes.items()) if name != "ok"]
        return "  ".join(parts)


@contextlib.contextmanager
def progress_for(title: str) -> Iterator[PlanProgress]:
    """Yield the progress that suits stdout."""
    if not sys.stdout.isatty():
        yield PlanProgress(title)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as RichProgress

    columns = (BarColumn(bar_width=24), MofNCompleteColumn(), TextColumn("{task.fields[text]}", markup=False))
    with RichProgress(*columns) as bar:
        yield PlanProgress(title, bar)
