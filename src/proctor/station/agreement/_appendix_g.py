"""VLA-REPLICA's published rollouts (Appendix G) as data: the example that everybody can recompute."""

from __future__ import annotations

import functools
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from ._agreement import RolloutPairing

_NOT_TASKS = ("policy", "station", "split")


@dataclass(frozen=True, slots=True)
class PublishedRollout:
    """One published rollout; ``variant`` is 1 to 5 within its task and split."""

    policy: str
    station: str
    split: str
    task: str
    variant: int
    success: bool

    @property
    def scene(self) -> str:
        """The scene's name, as `proctor.station.scene.Scene.name` writes it."""
        return f"{self.task}/{self.split}/{self.variant}"


@functools.cache
def appendix_g() -> tuple[PublishedRollout, ...]:
    """Return all 789 rollouts that our text of the paper holds."""
    data = tomllib.loads((files(__package__) / "appendix_g.toml").read_text(encoding="utf-8"))
    return tuple(
        PublishedRollout(table["policy"], table["station"], table["split"], task, variant, digit == "1")
        for table in data["table"]
        for task, digits in table.items()
        if task not in _NOT_TASKS
        for variant, digit in enumerate(digits, start=1)
    )


def pairs_of(
    rollouts: Iterable[PublishedRollout], first: str = "original", second: str = "reproduced"
) -> list[RolloutPairing]:
    """Pair the rollouts of two stations by policy and scene; what only one of them has is left out."""
    outcomes: dict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
    for rollout in rollouts:
        outcomes[rollout.policy, rollout.scene][rollout.station] = rollout.success
    return [
        RolloutPairing(policy, scene, found[first], found[second])
        for (policy, scene), found in outcomes.items()
        if first in found and second in found
    ]


def table_rates(station: str, split: str, tasks: Iterable[str] | None = None) -> dict[str, float]:
    """Return each policy's success rate over its rollouts: the bottom rows of Tables 4 and 5, the cells of Table 6."""
    wanted = None if tasks is None else set(tasks)
    found: dict[str, list[bool]] = defaultdict(list)
    for rollout in appendix_g():
        if (rollout.station, rollout.split) == (station, split) and (wanted is None or rollout.task in wanted):
            found[rollout.policy].append(rollout.success)
    return {policy: sum(outcomes) / len(outcomes) for policy, outcomes in found.items()}
