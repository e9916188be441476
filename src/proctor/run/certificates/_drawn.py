"""What is asked of a generated task's texts: that they lint, and that every one has exactly one answer."""

from __future__ import annotations

from proctor.core import ProctorError, episode_seed
from proctor.tasks.cbddl import Known, check
from proctor.tasks.knowledge import draw
from proctor.tasks.words import instruction_defects

from ._certificate import Finding
from ._job import Job

EPISODES = 200


def drawn_lint(job: Job, known: Known) -> Finding:
    """Lint as many episodes as there are layouts."""
    for episode in range(job.layouts):
        drawn = draw(job.task.path, episode_seed(job.seed, job.task.family, episode), episode)
        _, defects = check(drawn.text, drawn.task, known, instruction_defects)
        bad = [defect for defect in defects if defect.severity != "info"]
        if bad:
            return Finding("lint", False, f"episode {episode}: {bad[0]}")
    return Finding("lint", True, "clean")


def unique(job: Job) -> list[Finding]:
    """Draw `EPISODES` episodes: the generator gives none whose question has not exactly one proved answer."""
    targets: set[str] = set()
    for episode in range(EPISODES):
        try:
            drawn = draw(job.task.path, episode_seed(job.seed, job.task.family, episode), episode)
        except ProctorError as error:
            return [Finding("unique", False, f"episode {episode}: {error}")]
        targets.add(drawn.target)
    return [Finding("unique", True, f"{EPISODES} episodes, {len(targets)} answers, 0 counter-examples")]
