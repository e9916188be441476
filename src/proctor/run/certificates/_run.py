"""Certifies many tasks on a pool of processes."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from proctor.core import die_with
from proctor.tasks.suites import TaskRef

from ._certificate import CERTIFICATES, Certificate
from ._job import Job, JobResult, Question
from ._jobs import plan_jobs, run_job
from ._store import AnswerStore, CheckError

_LOG = logging.getLogger(__name__)

# Seconds per control step of each question, only to put long jobs first: the pool's tail is as long as its last job.
_PER_STEP_S: dict[Question, float] = {
    "random": 1.8e-3,
    "noop": 1.6e-3,
    "expert": 1.2e-3,
    "reckless": 1.2e-3,
    "start": 1.5e-4,
    "text": 1e-5,
    "unique": 1e-4,
}
# Questions without episodes. One of the others that comes back without any could not be asked: its policy cannot be
# loaded here, which is no fault of the task and no part of the answer's key. It is asked again.
_WITHOUT_EPISODES: tuple[Question, ...] = ("text", "start", "unique")


def certify(
    tasks: Sequence[TaskRef],
    *,
    layouts: int = 20,
    seed: int = 0,
    workers: int = 1,
    baselines: bool = False,
    store: AnswerStore | None = None,
    on_result: Callable[[JobResult, int, int], None] | None = None,
) -> list[Certificate]:
    """Return a certificate per task, in the order given; ``on_result`` hears of each finished job.

    What ``store`` has an answer to is not asked again, what is found out is kept in it at once. ``baselines``: let the
    reckless expert play also where no certificate asks for it.
    """
    if layouts < 1:
        raise CheckError(f"--layouts is {layouts}: it must be at least 1")
    if workers < 1:
        raise CheckError(f"--workers is {workers}: it must be at least 1")
    jobs = plan_jobs(tasks, layouts, seed, baselines=baselines)
    found: dict[Path, list[JobResult]] = {task.path: [] for task in tasks}
    for done, result in enumerate(_answers(jobs, workers, store), start=1):
        found[result.task.path].append(result)
        if on_result is not None:
            on_result(result, done, len(jobs))
    return [_certificate(task, layouts, seed, found[task.path]) for task in tasks]


def _certificate(task: TaskRef, layouts: int, seed: int, results: Sequence[JobResult]) -> Certificate:
    order = {name: i for i, name in enumerate(CERTIFICATES)}
    findings = [finding for result in results for finding in result.findings]
    return Certificate(
        task.id,
        task.suite,
        task.level,
        layouts,
        seed,
        tuple(sorted(findings, key=lambda finding: order[finding.certificate])),
        {result.question: result.played for result in results if result.played},
        sum(result.cpu_s for result in results),
    )


def _answers(jobs: Sequence[Job], workers: int, store: AnswerStore | None) -> Iterator[JobResult]:
    """Yield the answer of every job: the stored ones first, then the others as they come, long jobs begun first."""
    asked = []
    for job in jobs:
        known = store.find(job) if store is not None else None
        if known is None:
            asked.append(job)
        else:
            yield known
    _LOG.info("%d of %d answers are in the store", len(jobs) - len(asked), len(jobs))
    if not asked:
        return
    asked.sort(key=lambda job: -_expected_s(job, store))
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(min(workers, len(asked)), mp_context=context, initializer=_begin_worker)
    try:
        waiting = {pool.submit(run_job, job): job for job in asked}
        for future in as_completed(waiting):
            result = future.result()
            if store is not None and (result.played or result.question in _WITHOUT_EPISODES):
                store.keep(waiting[future], result)
            yield result
    except BrokenProcessPool as error:
        again = "; the same command again goes on" if store is not None else ""
        raise CheckError(f"a worker process died (out of memory?); try --workers 1{again}") from error
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _expected_s(job: Job, store: AnswerStore | None) -> float:
    known = store.seconds(job) if store is not None else None
    return _PER_STEP_S[job.question] * job.task.max_steps * job.layouts if known is None else known


def _begin_worker() -> None:
    """One thread, deaf to Ctrl-C (the parent answers it), and dead as soon as the parent is."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("LP_NUM_THREADS", "1")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid is not None:
        die_with(parent.pid)
