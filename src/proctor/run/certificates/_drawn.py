"""What is asked of a generated task's texts: that they lint, and that every one has exactly one answer."""

from __future__ import annotations

from proctor.core import DrawnEpisode, ProctorError, episode_seed, task_source
from proctor.tasks.cbddl import Known, check
from proctor.tasks.words import instruction_defects

from ._certificate import Finding
from ._job import CertificateJob

EPISODES = 200


def drawn_lint(job: CertificateJob, known: Known) -> Finding:
    for episode in range(job.layouts):
        drawn = _episode(job, episode)
        _, defects = check(drawn.text, job.task.path.stem, known, instruction_defects)
        bad = [defect for defect in defects if defect.severity != "info"]
        if bad:
            return Finding("lint", False, f"episode {episode}: {bad[0]}")
    return Finding("lint", True, "clean")


def unique(job: CertificateJob) -> list[Finding]:
    """Draw `EPISODES` episodes: the generator gives none whose question has not exactly one proved answer."""
    targets: set[str] = set()
    for episode in range(EPISODES):
        try:
            drawn = _episode(job, episode)
        except ProctorError as error:
            return [Finding("unique", False, f"episode {episode}: {error}")]
        targets.add(drawn.target)
    return [Finding("unique", True, f"{EPISODES} episodes, {len(targets)} answers, 0 counter-examples")]


def _episode(job: CertificateJob, episode: int) -> DrawnEpisode:
    source = task_source(job.task.path)
    assert source is not None, "a task with a family has a source"
    return source.draw(job.task.path, episode_seed(job.seed, job.task.family, episode), episode)
