"""The real certificates, three tasks a day on two layouts: in four months every task has been proved again.

Which ones depends on the day of the year; ``PROCTOR_SLICE_DAY=123`` repeats another day's choice. The layouts are the
first ones of ``make certify``. Where a certificate is about a share of twenty layouts, here one of two is enough.
"""

from __future__ import annotations

import datetime
import os
import re
from collections import Counter

import pytest

from proctor.check import plan_jobs, run_job
from proctor.suites import TaskRef, builtin_suites, find_all, tasks_of

PER_DAY = 3
LAYOUTS = 2
DAY = int(os.environ.get("PROCTOR_SLICE_DAY", datetime.date.today().timetuple().tm_yday))
TASKS = [task for suite in builtin_suites() for task in tasks_of(suite)]


def slice_of(day: int, count: int) -> list[int]:
    return [(day * PER_DAY + i) % count for i in range(PER_DAY)]


@pytest.mark.parametrize("count", [170, 25, 24, 7])
def test_the_slices_walk_through_all_tasks(count: int) -> None:
    days = -(-count // PER_DAY) + 1
    assert {i for day in range(DAY, DAY + days) for i in slice_of(day, count)} == set(range(count))


def test_the_suites_have_the_tasks_that_are_promised() -> None:
    assert len(find_all(["arena"])) == 170
    assert len(find_all(["bench/primitive", "bench/composite"])) == 90
    assert len(find_all(["bench/primitive", "bench/composite"], include=["hard"])) == 100
    assert all(len(find_all([f"bench/track{i}"])) == 10 for i in range(1, 8))
    for suite in (suite for suite in builtin_suites() if not suite.name.startswith("bench/")):
        levels = Counter(task.level for task in tasks_of(suite))
        first = 10 if suite.name in ("arena/long_horizon", "goal") else 5
        assert levels == ({"L0": first} if suite.name == "goal" else {"L0": first, "L1": 5, "L2": 5}), suite.name


@pytest.mark.parametrize("task", [TASKS[i] for i in slice_of(DAY, len(TASKS))], ids=lambda task: f"day{DAY}-{task.id}")
def test_certificates_of_today(task: TaskRef) -> None:
    findings = [finding for job in plan_jobs([task], LAYOUTS, 0) for finding in run_job(job).findings]
    failed = [finding for finding in findings if not finding.passed]
    assert [finding for finding in failed if finding.certificate not in ("expert", "bites")] == []
    assert all(re.search(rf"\b[1-9]/{LAYOUTS}", finding.detail) for finding in failed), failed
