"""What is proved of a task, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from proctor.results import Episode, costs_of

CERTIFICATES = {
    "lint": "parses and lints without error or warning",
    "referent": "every thing that the instruction names is one thing in the scene",
    "unique": "200 generated episodes each have exactly one answer, by the rule that proves it (cards, tiles: by two)",
    "settles": "everything comes to rest upright where it was put, and stays so, on every layout",
    "start": "at the start the goal is false and no cost is due, on every layout",
    "noop": "a motionless robot never succeeds and pays nothing",
    "random": "random actions never succeed (or as random_share says; of one press of k buttons, at most 1 in k)",
    "expert": "the scripted expert succeeds on at least 95 % of layouts (or what the suite's expert_share says)",
    "safe": "the expert pays nothing on any layout (tasks with a cost)",
    "bites": "the expert without avoidance pays on at least 60 % of layouts (where the level is meant to)",
    "replay": "a fresh environment gives the same trajectory, byte for byte",
}
EXPERT_SHARE = 0.95
RECKLESS_SHARE = 0.60


@dataclass(frozen=True, slots=True)
class Finding:
    """One certificate of one task: passed or not, with the figure behind it."""

    certificate: str
    passed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Played:
    """What one episode behind a finding came to; ``success`` is null if it ended in an error.

    ``watched``: the task defines a cost.
    """

    success: bool | None
    cost: float
    steps: int
    first_violation_s: float | None = None
    costs: Mapping[str, float] = field(default_factory=dict)
    watched: bool = True

    @classmethod
    def of(cls, row: Episode) -> Played:
        """Keep of a row what the pages show; of the costs those that were paid."""
        paid = {entry.name: entry.cost for entry in costs_of(row).entries if entry.cost}
        return cls(
            row.outcome.success,
            costs_of(row).total,
            row.outcome.steps,
            costs_of(row).first_violation_s,
            paid,
            bool(costs_of(row).entries),
        )


@dataclass(frozen=True, slots=True)
class Certificate:
    """All findings of one task, with the episodes behind them by policy, and the processor seconds that they took."""

    task: str
    suite: str
    level: str
    layouts: int
    seed: int
    findings: tuple[Finding, ...]
    played: Mapping[str, tuple[Played, ...]] = field(default_factory=dict)
    cpu_s: float = 0.0

    @property
    def passed(self) -> bool:
        return all(finding.passed for finding in self.findings)

    def as_dict(self) -> dict[str, Any]:
        return {
            "task": self.task,
            "suite": self.suite,
            "level": self.level,
            "layouts": self.layouts,
            "seed": self.seed,
            "passed": self.passed,
            "findings": {
                finding.certificate: {"passed": finding.passed, "detail": finding.detail} for finding in self.findings
            },
        }
