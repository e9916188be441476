"""What is asked of a generated task's texts: that they lint, and that every one has exactly one answer."""

from __future__ import annotations

from proctor.core import ProctorError, episode_seed
from proctor.tasks.cbddl import Known, check, parse
from proctor.tasks.knowledge import draw
from proctor.tasks.knowledge.referee import judge

from ._certificate import Finding
from ._job import Job

EPISODES = 200


def drawn_lint(job: Job, known: Known) -> Finding:
    """Lint as many episodes as there are layouts."""
    for episode in range(job.layouts):
        drawn = draw(job.task.path, episode_seed(job.seed, job.task.family, episode), episode)
        bad = [defect for defect in check(drawn.text, drawn.task, known)[1] if defect.severity != "info"]
        if bad:
            return Finding("lint", False, f"episode {episode}: {bad[0]}")
    return Finding("lint", True, "clean")


def unique(job: Job) -> list[Finding]:
    """Draw `EPISODES` episodes, each proved by the generator; the referee reads words and scene by itself."""
    targets: set[str] = set()
    for episode in range(EPISODES):
        try:
            drawn = draw(job.task.path, episode_seed(job.seed, job.task.family, episode), episode)
            verdict = judge(parse(drawn.text, f"episode {episode}"))
        except ProctorError as error:
            return [Finding("unique", False, f"episode {episode}: {error}")]
        if verdict.word != "agree":
            return [Finding("unique", False, f"episode {episode}: {verdict}")]
        targets.add(drawn.target)
    return [Finding("unique", True, f"{EPISODES} episodes, {len(targets)} answers, 0 counter-examples")]
