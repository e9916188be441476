"""A run that is on record: what `proctor.evaluate` and `proctor.load_run` return."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proctor.results import Episode
    from proctor.run.engine import RunResult


@dataclass(frozen=True, slots=True)
class SuccessRate:
    """How many of the completed episodes succeeded, with the 95 % Wilson interval; errors are kept apart."""

    successes: int
    completed: int
    errors: int

    @property
    def rate(self) -> float | None:
        """The share, None without completed episodes."""
        return self.successes / self.completed if self.completed else None

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the interval; 0 and 1 without completed episodes."""
        from proctor.analysis.stats import wilson

        return wilson(self.successes, self.completed) if self.completed else (0.0, 1.0)

    @property
    def at_worst(self) -> float | None:
        """The share if every error were a failure, None without episodes."""
        total = self.completed + self.errors
        return self.successes / total if total else None

    def __float__(self) -> float:
        return float("nan") if self.rate is None else self.rate

    def __str__(self) -> str:
        if self.rate is None:
            return f"no completed episode, {self.errors} errors"
        low, high = self.interval
        errors = f", {self.errors} errors apart" if self.errors else ""
        share = f"{100 * self.rate:.1f} %, 95 % interval {100 * low:.1f} to {100 * high:.1f} %"
        return f"{self.successes} of {self.completed} episodes ({share}{errors})"


class Run:
    """A run folder. Rows are read when they are first asked for.

    ``result`` says how the call that made it went, None for a folder that was loaded; ``verdict`` is the sentence of a
    comparison that was waited for (``until_resolved``).
    """

    def __init__(self, folder: str | os.PathLike[str], *, result: RunResult | None = None, verdict: str = "") -> None:
        self.folder = Path(folder)
        self.result = result
        self.verdict = verdict

    @cached_property
    def description(self) -> dict[str, Any]:
        """What ``run.json`` says: policy, environment, plan, versions."""
        from proctor.results import read_run

        return read_run(self.folder)

    @cached_property
    def episodes(self) -> tuple[Episode, ...]:
        """The latest row of every episode; ones that ended in an error are among them."""
        from proctor.results import read_episodes

        return tuple(read_episodes(self.folder))

    @property
    def policy(self) -> str:
        """What rows call the policy."""
        return str(self.description["plan"]["policy"])

    def success(self, suite: str | None = None, level: str | None = None) -> SuccessRate:
        """Return the success rate, of one suite or level if asked for."""
        rows = [row for row in self.episodes if suite in (None, row.spec.suite) and level in (None, row.spec.level)]
        completed = [row for row in rows if row.status == "completed"]
        won = sum(bool(row.outcome.success) for row in completed)
        return SuccessRate(won, len(completed), len(rows) - len(completed))

    def table(self) -> Any:
        """Return the rows as a `pyarrow.Table`, fields under dotted names such as ``outcome.success``.

        Its ``to_pandas`` works where pandas is installed.
        """
        from proctor.results import episodes_table

        return episodes_table(self.episodes).flatten()

    def report(self, folder: str | os.PathLike[str] | None = None) -> Path:
        """Write the report into ``folder`` (otherwise ``report`` in the run's) and return its first page."""
        from proctor.report import write_report

        return write_report([self.folder], None if folder is None else Path(folder))

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}: {self.policy}, {self.success()})"

    def _repr_html_(self) -> str:
        """Show the rates by suite and level in a notebook."""
        keys = sorted({(row.spec.suite, row.spec.level) for row in self.episodes})
        lines = [(suite, level, self.success(suite, level)) for suite, level in keys]
        if len(lines) > 1:
            lines.append(("all", "", self.success()))
        cells = "".join(
            f"<tr><td>{escape(suite)}</td><td>{escape(level)}</td>{_cells(rate)}</tr>" for suite, level, rate in lines
        )
        head = "".join(f"<th>{name}</th>" for name in ("suite", "level", "success", "95 % interval", "errors"))
        return (
            f"<p><b>{escape(self.policy)}</b>: {escape(str(self.folder))}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table>"
        )


def _cells(rate: SuccessRate) -> str:
    low, high = rate.interval
    return (
        f"<td>{rate.successes}/{rate.completed}</td><td>{100 * low:.1f}–{100 * high:.1f} %</td><td>{rate.errors}</td>"
    )


def load_run(folder: str | os.PathLike[str]) -> Run:
    """Return the run in a folder; raises `ProctorError` if there is none."""
    run = Run(folder)
    _ = run.description
    return run
