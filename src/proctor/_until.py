"""Stops a run once it is settled which of two policies is better: the judge behind ``until_resolved``.

Pairs are judged in the order of the plan, not of completion: a quick success must not be heard before a slow failure,
or the order itself would lean towards one side. So the verdict does not depend on the number of workers either.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from proctor.analysis.stats import SequentialComparison, SequentialState, StatsError
from proctor.core import ProctorError
from proctor.results import Episode, read_episodes
from proctor.run.plan import Plan


class Judge:
    """Compares the episodes of a running plan with those of a finished run on the same layouts."""

    def __init__(self, reference: Path, plan: Plan, out: Path, *, alpha: float, control_hz: float = 20.0) -> None:
        self._reference = {row.pair_id: row for row in read_episodes(reference)}
        self._plan = plan
        self._rows: dict[str, Episode] = {}
        self._next = 0
        pairs = sum(spec.pair_id in self._reference for spec in plan)
        if not pairs:
            raise ProctorError(
                f"{reference} has no episode on the layouts of this run: use the same suite, --seed and --max-steps"
            )
        old = next(iter(self._reference.values())).policy.name
        # Two checkpoints of one policy class share its name; their folders tell them apart.
        names = (plan.policy, old) if plan.policy != old else (out.name, reference.name)
        if names[0] == names[1]:
            raise ProctorError(f"{reference} and {out} cannot be told apart: give --out another folder name")
        horizon_s = max(task.max_steps for task in plan.tasks) / control_hz
        self._comparison = SequentialComparison(*names, tau_s=horizon_s, n_max=pairs, alpha=alpha)

    @property
    def state(self) -> SequentialState:
        """Where the comparison stands."""
        return self._comparison.state

    @property
    def settled(self) -> bool:
        """Whether the verdict is in."""
        return self._comparison.decision in ("a_better", "b_better")

    def hear(self, rows: Iterable[Episode]) -> bool:
        """Take rows in any order; return True once the verdict is in."""
        self._rows.update((row.episode_id, row) for row in rows)
        while self._next < len(self._plan) and not self.settled:
            row = self._rows.pop(self._plan[self._next].episode_id, None)
            if row is None:
                break
            self._next += 1
            self._judge(row)
        return self.settled

    def _judge(self, row: Episode) -> None:
        other = self._reference.get(row.pair_id)
        if other is None:
            return
        if row.status != "completed" or other.status != "completed":
            self._comparison.drop(row.pair_id)
            return
        for name, episode in zip(self._comparison.names, (row, other), strict=True):
            self._comparison.update(name, row.pair_id, bool(episode.outcome.success), episode.outcome.success_time_s)


def judge_of(reference: Path, plan: Plan, out: Path, alpha: float) -> Judge:
    """Return the judge of a comparison with the run in ``reference``, told of what ``out`` holds already."""
    try:
        judge = Judge(reference, plan, out, alpha=alpha)
    except StatsError as error:
        raise ProctorError(f"--until-resolved: {error}") from error
    if (out / "run.json").exists():
        judge.hear(row for row in read_episodes(out) if row.status == "completed")
    return judge
