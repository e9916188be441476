"""A folder that keeps the answer of every job, so that a check that was stopped goes on where it was.

``answers.jsonl`` has one line per finished job (see `proctor.core.KeyedLines`). Every ``*.jsonl`` of the folder is
read, so the answers of another machine are taken over by copying its file there under another name. A line says what it
answers by a key: task text (of a generated task: of every episode), rules, question, layouts, seed and the code's
fingerprint. What has another key now is asked again.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from proctor.assets import categories
from proctor.core import KeyedLines, ProctorError
from proctor.tasks.suites import TaskRef, read_suite, suite_folder

from ._certificate import Finding, Played
from ._fingerprint import fingerprint
from ._job import Job, JobResult, specs_of

FILE = "answers.jsonl"
_FIELDS = ("task", "question", "layouts", "cpu_s", "findings", "played")


class CheckError(ProctorError):
    """The check itself could not be carried out."""


class AnswerStore:
    """The answers in a folder."""

    def __init__(self, folder: Path) -> None:
        file = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            others = sorted(path for path in folder.glob("*.jsonl") if path != file)
        except OSError as error:
            raise CheckError(f"--out {folder}: cannot be used: {error.strerror or error}") from None
        self._lines = KeyedLines(file, key="key", fields=_FIELDS, others=others)
        lines = self._lines.values.values()
        self._seconds = {(line["task"], line["question"]): line["cpu_s"] / line["layouts"] for line in lines}

    def find(self, job: Job) -> JobResult | None:
        """Return the answer to exactly this job, None if there is none or only one of other code."""
        line = self._lines.values.get(key_of(job))
        if line is None:
            return None
        findings = tuple(Finding(**finding) for finding in line["findings"])
        played = tuple(Played(**episode) for episode in line["played"])
        return JobResult(job.task, job.question, findings, played, line["cpu_s"])

    def keep(self, job: Job, result: JobResult) -> None:
        """Append an answer; it is on disk when this returns."""
        line: dict[str, Any] = {
            "key": key_of(job),
            "task": job.task.id,
            "question": job.question,
            "layouts": job.layouts,
            "seed": job.seed,
            "fingerprint": _fingerprint(job),
            "cpu_s": round(result.cpu_s, 3),
            "findings": [asdict(finding) for finding in result.findings],
            "played": [asdict(episode) for episode in result.played],
        }
        self._lines.keep(line)

    def seconds(self, job: Job) -> float | None:
        """Return how long the question took when last asked, whatever has changed since; None if it never was."""
        each = self._seconds.get((job.task.id, job.question))
        return None if each is None else float(each) * job.layouts


def key_of(job: Job) -> str:
    """Return the hash of everything that decides a job's answer."""
    rules = {name: value for name, value in asdict(job.task).items() if name != "path"}
    if job.question == "expert":
        rules["expert_share"] = read_suite(job.task.suite, suite_folder(job.task.path)).expert_share.get(job.task.level)
    text = job.task.path.read_bytes()
    parts = [rules, job.question, job.layouts, job.seed, job.judged, _fingerprint(job), _episodes(job)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode() + text).hexdigest()[:32]


def _fingerprint(job: Job) -> str:
    words = set(re.findall(r"\w+", job.task.path.read_text(encoding="utf-8", errors="replace")))
    return fingerprint(job.question, bench=bool(job.task.family or words & _bench_categories()))


@functools.cache
def _bench_categories() -> frozenset[str]:
    return frozenset(categories("knowledge"))


def _episodes(job: Job) -> tuple[str, ...]:
    """Return what is played where the task is generated: each episode's text, as a hash, and its limit."""
    return _drawn(job.task, job.layouts, job.seed) if job.task.family else ()


@functools.cache
def _drawn(task: TaskRef, layouts: int, seed: int) -> tuple[str, ...]:
    try:
        specs = specs_of(Job(task, "start", layouts, seed), "none")
    except ProctorError as error:
        return (str(error),)
    return tuple(f"{spec.task_hash} {spec.max_steps}" for spec in specs)
