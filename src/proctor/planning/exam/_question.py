"""From an episode to a question: its scene is set up, seen from all sides, and put into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from proctor.core import EpisodeSpec
from proctor.sim import SimEnv
from proctor.tasks.cbddl import Task
from proctor.tasks.knowledge import SUFFIX, knowledge_task, read_knowledge_file

from .._problem import Problem, problem_of
from .._prompt import Asked, Picture
from ..views import VIEWS, Viewed, take_views

COMPLEX = "Complex"
_DIMENSIONS = {
    "M&T": "Mesh & texture",
    "SP": "Spatial",
    "C&W": "Common sense",
    "SEM": "Semantic",
    "PHY": "Physical law",
}


@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """An episode as a question."""

    spec: EpisodeSpec
    problem: Problem
    viewed: Viewed

    def asked(self) -> Asked:
        """Return pictures and instruction, with the right plan, for use as a shot."""
        pictures = tuple(Picture(view.camera, view.clean, view.marked) for view in self.viewed.views)
        plan = self.problem.marked(self.problem.plan)
        named = {number: spoken(self.problem.task, name) for number, name in self.viewed.marks.items()}
        return Asked(pictures, self.spec.instruction_sent, plan, named)


def slug_of(spec: EpisodeSpec) -> str:
    """Return the catalogue's name of a task, "" for a task of another suite."""
    return read_knowledge_file(Path(spec.task_path)).task if spec.task_path.endswith(SUFFIX) else ""


def dimension_of(spec: EpisodeSpec) -> str:
    """Return what a task examines: the catalogue's dimension, `COMPLEX` for its composites, else the suite."""
    slug = slug_of(spec)
    if not slug:
        return spec.suite
    task = knowledge_task(slug)
    return COMPLEX if task.kind == "composite" else _DIMENSIONS.get(task.dimensions[0], task.dimensions[0])


def question_of(env: SimEnv, spec: EpisodeSpec, cameras: Sequence[str] = VIEWS) -> PlanQuestion:
    """Set the episode up in ``env`` and ask about it."""
    env.reset(spec)
    viewed = take_views(env, spec.seed, cameras)
    problem = problem_of(env.scene.task, viewed.marks, env.scene.assets, slug=slug_of(spec))
    return PlanQuestion(spec, problem, viewed)


def spoken(task: Task, name: str) -> str:
    """Return words for an entity or a part of one: ``the door of the fridge``."""
    entity, _, part = name.partition("/")
    declared, look = task.entity(entity), task.look(entity)
    words = (declared.category if declared else entity).replace("_", " ")
    if look is not None and look.look:
        words = f"{' '.join(value for _, value in look.look)} ({words})"
    return f"{part.replace('_', ' ')} of {words}" if part else words
