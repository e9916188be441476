"""Examples before the question: other tasks of the same dimension, from layouts and splits the question does not use.

Which tasks are shown is drawn per question by a stored seed; a task's example is the same for all questions, so it is
rendered once. In the transfer setting (the default) a question's own task is never among its examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from proctor.core import EpisodeSpec, ProctorError, named_rng, named_seed, write_whole
from proctor.run.plan import Plan, PlanTask
from proctor.sim import SimEnv
from proctor.tasks.knowledge import SUFFIX, read_knowledge_file

from .._problem import ProblemError
from ._question import Question, dimension_of, question_of

_OTHER = {"seen": "unseen", "unseen": "seen"}


@dataclass(frozen=True, slots=True)
class ShotOptions:
    """How many examples, by which seed, and whether a question's own task may be among them."""

    count: int = 0
    seed: int = 0
    same_task: bool = False


class Shots:
    """The examples of a run, made when first needed. ``folder`` takes the files of the other split."""

    def __init__(
        self, env: SimEnv, tasks: Sequence[PlanTask], options: ShotOptions, cameras: Sequence[str], folder: Path
    ) -> None:
        self._env, self._options, self._cameras = env, options, tuple(cameras)
        self._specs = {task.task: self._spec(task, folder) for task in tasks} if options.count else {}
        self._made: dict[str, Question | None] = {}

    def of(self, spec: EpisodeSpec) -> list[Question]:
        wanted = self._options.count
        if not wanted:
            return []
        others = [task for task in self._specs if self._options.same_task or task != spec.task]
        rng = named_rng(self._options.seed, "shots", replace(spec, policy="", policy_args={}).pair_id)
        order = [others[int(k)] for k in rng.permutation(len(others))]
        own = dimension_of(spec)
        # Those of the same dimension first; sorting keeps the drawn order among them.
        order.sort(key=lambda task: dimension_of(self._specs[task]) != own)
        found: list[Question] = []
        for task in order:
            if len(found) == wanted:
                break
            question = self._make(task)
            if question is not None:
                found.append(question)
        if len(found) < wanted:
            raise ProctorError(
                f"--shots {wanted}: {len(found) or 'none'} of the other tasks can serve as examples for {spec.task}; "
                "select more tasks, or use --shots-from any"
            )
        return found

    def _make(self, task: str) -> Question | None:
        """Return a task's example, None for a task that is no planning problem."""
        if task not in self._made:
            try:
                self._made[task] = question_of(self._env, self._specs[task], self._cameras)
            except ProblemError:
                self._made[task] = None
        return self._made[task]

    def _spec(self, task: PlanTask, folder: Path) -> EpisodeSpec:
        """Return an episode that is in no examination: of another seed, and of the other split where there is one."""
        if task.path.endswith(SUFFIX):
            file = read_knowledge_file(Path(task.path))
            if file.split in _OTHER:
                path = folder / f"{file.task}_{_OTHER[file.split]}{SUFFIX}"
                write_whole(path, f'task = "{file.task}"\nsplit = "{_OTHER[file.split]}"\n'.encode())
                task = replace(task, path=str(path.resolve()))
        return Plan(tasks=(task,), episodes=1, seed=named_seed(self._options.seed, "examples") >> 11, policy="")[0]
