"""The real certificates of a few tasks of every family: a slice of ``make certify`` that moves on with every commit.

The slice has a number, which stands in the name of every test: the count of commits plus the day. ``PROCTOR_SLICE=N``
repeats the choice of slice N. The layouts are the first ones of ``make certify``. Where a certificate is about a share
of twenty layouts, here one of two is enough.
"""

from __future__ import annotations

import datetime
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from proctor.run.certificates import Finding, plan_jobs, run_job
from proctor.tasks.suites import TaskRef, builtin_suites, find_all, tasks_of

LAYOUTS = 2
PER_SLICE = {"arena": 3, "goal": 1, "knowledge": 2}
"""Tasks of each family: some two minutes of one core in all."""
PER_NIGHT = {"arena": 16, "goal": 3, "knowledge": 12}
"""The same for `make nightly`, which goes its own way through the tasks."""


def number_of_this_slice() -> int:
    """Return the count of commits plus the day: it moves when either does, also in a clone without history."""
    if "PROCTOR_SLICE" in os.environ:
        return int(os.environ["PROCTOR_SLICE"])
    counted = subprocess.run(
        ["git", "rev-list", "--count", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    commits = int(counted.stdout) if counted.returncode == 0 else 0
    return commits + datetime.datetime.now(datetime.UTC).date().toordinal()


def slice_of(number: int, count: int, size: int) -> list[int]:
    """Return ``size`` places among ``count``, far apart, so that one slice does not stay within one suite.

    ``step`` is prime to ``count``: slice after slice walks through all places before it comes to one again.
    """
    step = next(step for step in range(max(1, round(count * 0.618)), count + 2) if _coprime(step, count))
    return [(number * size + i) * step % count for i in range(size)]


def _coprime(a: int, b: int) -> bool:
    while b:
        a, b = b, a % b
    return a == 1


NUMBER = number_of_this_slice()
FAMILIES = {
    family: [task for suite in builtin_suites() if suite.name.split("/")[0] == family for task in tasks_of(suite)]
    for family in PER_SLICE
}
CHOSEN, TONIGHT = (
    [FAMILIES[family][i] for family, size in sizes.items() for i in slice_of(NUMBER, len(FAMILIES[family]), size)]
    for sizes in (PER_SLICE, PER_NIGHT)
)


@pytest.mark.parametrize(("count", "size"), [(170, 3), (160, 2), (10, 1), (25, 3), (7, 2), (1, 1)])
def test_the_slices_walk_through_all_tasks(count: int, size: int) -> None:
    slices = -(-count // size)
    places = [i for number in range(NUMBER, NUMBER + slices) for i in slice_of(number, count, size)]
    assert set(places[:count]) == set(range(count))


def test_a_slice_is_spread_over_suites() -> None:
    for number in range(NUMBER, NUMBER + 50):
        suites = {FAMILIES["arena"][i].suite for i in slice_of(number, 170, 3)}
        assert len(suites) == 3


def test_the_suites_have_the_tasks_that_are_promised() -> None:
    assert len(find_all(["arena"])) == 170
    assert len(find_all(["knowledge/primitive", "knowledge/composite"])) == 90
    assert len(find_all(["knowledge/primitive", "knowledge/composite"], include=["hard"])) == 100
    assert all(len(find_all([f"knowledge/track{i}"])) == 10 for i in range(1, 8))
    for suite in (suite for suite in builtin_suites() if not suite.name.startswith("knowledge/")):
        levels = Counter(task.level for task in tasks_of(suite))
        first = 10 if suite.name in ("arena/long_horizon", "goal") else 5
        assert levels == ({"L0": first} if suite.name == "goal" else {"L0": first, "L1": 5, "L2": 5}), suite.name


@pytest.mark.parametrize("task", CHOSEN, ids=lambda task: f"slice{NUMBER}-{task.id}")
def test_certificates_of_this_slice(task: TaskRef) -> None:
    assert_certified(task)


@pytest.mark.nightly
@pytest.mark.parametrize("task", TONIGHT, ids=lambda task: f"night{NUMBER}-{task.id}")
def test_certificates_of_this_night(task: TaskRef) -> None:
    assert_certified(task)


def assert_certified(task: TaskRef) -> None:
    findings = [finding for job in plan_jobs([task], LAYOUTS, 0) for finding in run_job(job).findings]
    failed = [finding for finding in findings if not finding.passed and not _granted(finding, task)]
    assert not failed, (
        f"{task.id}: "
        + "; ".join(f"{finding.certificate}: {finding.detail}" for finding in failed)
        + f"\nagain: PROCTOR_SLICE={NUMBER} pytest tests/run/certificates/test_certificates_slice.py"
        + f"\nby itself: proctor check {task.id} --layouts {LAYOUTS}"
        + f"\nin full: proctor check {task.id} --layouts 20"
    )


def _granted(finding: Finding, task: TaskRef) -> bool:
    """Say whether two layouts are too few for what failed: shares of twenty ask for one of two."""
    if finding.certificate in ("expert", "bites"):
        return re.search(rf"\b[1-9]\d*/{LAYOUTS}\b", finding.detail) is not None
    return finding.certificate == "random" and task.random_share > 0 and f"1/{LAYOUTS}" in finding.detail
