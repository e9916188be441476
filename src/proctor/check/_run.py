"""Certifies many tasks on a pool of processes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from proctor.core import ProctorError
from proctor.suites import TaskRef

from ._certificate import CERTIFICATES, Certificate, Finding
from ._jobs import JobResult, plan_jobs, run_job


class CheckError(ProctorError):
    """The check itself could not be carried out."""


def certify(
    tasks: list[TaskRef],
    *,
    layouts: int = 20,
    seed: int = 0,
    workers: int = 1,
    on_result: Callable[[JobResult, int, int], None] | None = None,
) -> list[Certificate]:
    """Return a certificate per task, in the order given; ``on_result`` hears of each finished job."""
    if layouts < 1:
        raise CheckError(f"--layouts is {layouts}: it must be at least 1")
    if workers < 1:
        raise CheckError(f"--workers is {workers}: it must be at least 1")
    jobs = plan_jobs(tasks, layouts, seed)
    found: dict[Path, list[Finding]] = {task.path: [] for task in tasks}
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(workers, mp_context=context, initializer=_one_thread) as pool:
            waiting = [pool.submit(run_job, job) for job in jobs]
            for done, future in enumerate(as_completed(waiting), start=1):
                result = future.result()
                found[result.task.path] += result.findings
                if on_result is not None:
                    on_result(result, done, len(jobs))
    except BrokenProcessPool as error:
        raise CheckError("a worker process died (out of memory?); try --workers 1") from error
    order = {name: i for i, name in enumerate(CERTIFICATES)}
    return [
        Certificate(
            task.id, task.suite, task.level, layouts, seed,
            tuple(sorted(found[task.path], key=lambda finding: order[finding.certificate])),
        )
        for task in tasks
    ]  # fmt: skip


def _one_thread() -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("LP_NUM_THREADS", "1")
