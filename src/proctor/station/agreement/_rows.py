"""Two run folders of the same policies on the same scenes, paired."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from proctor.results import Episode

from ._agreement import Pairing


def pairs_of_rows(first: Iterable[Episode], second: Iterable[Episode]) -> list[Pairing]:
    """Pair completed episodes of two stations by policy and task, the n-th of one with the n-th of the other.

    A station's own seeds and hashes differ from the other's, so it is the scene (the task's name without its version)
    that pairs them; repeats are taken in the order of their episode number.
    """
    sides = [_by_scene(first), _by_scene(second)]
    return [
        Pairing(policy, scene, one, two)
        for policy, scene in sides[0]
        for one, two in zip(sides[0][policy, scene], sides[1].get((policy, scene), ()), strict=False)
    ]


def _by_scene(rows: Iterable[Episode]) -> dict[tuple[str, str], list[bool]]:
    found: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.spec.episode):
        if row.status == "completed":
            found[row.policy.name, row.spec.task.partition("@")[0]].append(bool(row.outcome.success))
    return found
