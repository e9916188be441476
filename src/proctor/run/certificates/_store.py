"""The folder that keeps the answers of certificates, their keys, and how a check that was stopped goes on.

``answers.jsonl`` has one line per finished job (see `proctor.core.KeyedLines`). Every ``*.jsonl`` of the folder is
read, so the answers of another machine are taken over by copying its file there under another name. A line says what it
answers by a key: rules, question, text and things of every episode, and the code's fingerprint. What has another key
now is asked again.
"""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from proctor.core import EpisodeSpec, KeyedLines, ProctorError
from proctor.sim import instance_set_of, things_digest
from proctor.tasks.cbddl import CbddlError
from proctor.tasks.suites import TaskRef, read_suite, suite_folder, task_of

from ._certificate import Finding, Played
from ._fingerprint import fingerprint
from ._job import CertificateJob, JobResult, specs_of

FILE = "answers.jsonl"
# What a task is called, and where it is; its episodes say what it is.
_NAMES = ("path", "id", "suite", "level", "family")
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

    def find(self, job: CertificateJob) -> JobResult | None:
        """Return the answer to exactly this job, None if there is none or only one of other code."""
        line = self._lines.values.get(key_of(job))
        if line is None:
            return None
        findings = tuple(Finding(**finding) for finding in line["findings"])
        played = tuple(Played(**episode) for episode in line["played"])
        return JobResult(job.task, job.question, findings, played, line["cpu_s"])

    def keep(self, job: CertificateJob, result: JobResult) -> None:
        """Append an answer; it is on disk when this returns."""
        line: dict[str, Any] = {
            "key": key_of(job),
            "task": job.task.id,
            "question": job.question,
            "layouts": job.layouts,
            "seed": job.seed,
            "fingerprint": fingerprint(job.question),
            "cpu_s": round(result.cpu_s, 3),
            "findings": [asdict(finding) for finding in result.findings],
            "played": [asdict(episode) for episode in result.played],
        }
        self._lines.keep(line)

    def seconds(self, job: CertificateJob) -> float | None:
        """Return how long the question took when last asked, whatever has changed since; None if it never was."""
        each = self._seconds.get((job.task.id, job.question))
        return None if each is None else float(each) * job.layouts


def key_of(job: CertificateJob) -> str:
    """Return the hash of everything that decides a job's answer."""
    rules = {name: value for name, value in asdict(job.task).items() if name not in _NAMES}
    if job.question == "expert":
        rules["expert_share"] = read_suite(job.task.suite, suite_folder(job.task.path)).expert_share.get(job.task.level)
    text = _hash(job.task.path.read_bytes())
    asked = [job.question, job.layouts, job.seed, job.judged, text if job.question == "text" else ""]
    parts = [rules, asked, fingerprint(job.question), _episodes(job.task, job.layouts, job.seed, text)]
    return _hash(json.dumps(parts, sort_keys=True).encode())[:32]


def _hash(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


@functools.cache
def _episodes(task: TaskRef, layouts: int, seed: int, text: str) -> tuple[str, ...]:
    """Return what is played: the seed, text and limit of each episode, and what its things compile to.

    ``text``: the hash of the file, which may have changed since the last time.
    """
    try:
        return tuple(map(_episode, specs_of(CertificateJob(task, "start", layouts, seed), "none")))
    except (ProctorError, CbddlError) as error:
        return (str(error),)


def _episode(spec: EpisodeSpec) -> str:
    task = task_of(Path(spec.task_path), spec.seed, spec.episode)
    return f"{spec.seed} {spec.task_hash} {spec.max_steps} {things_digest(task, (instance_set_of(spec.seed),))}"
