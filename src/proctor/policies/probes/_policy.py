"""The probes as policies: a grounding, the expert's hands, and noise on them.

A task of a suite is known by its instruction and its goal, read from the suite's files. The expert plays the goal of
the task that was understood, in the scene of the episode; goals that cannot be reached there end in holding still.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec, Observation, PolicySpec, ProctorError, named_rng, policy_code
from proctor.policies.scripted import ExpertPolicy
from proctor.tasks.cbddl import Expr
from proctor.tasks.suites import find, instruction_of, suite_folder, task_of

from ._grounding import Grounding, KeywordGrounding, NearestGrounding, ReferentCandidate, vectors_named


@lru_cache(maxsize=16)
def suite_tasks(task_path: str) -> tuple[ReferentCandidate, ...]:
    """Return the tasks of the suite that a task file belongs to."""
    folder = suite_folder(Path(task_path))
    refs = [ref for ref in find(str(folder)) if suite_folder(ref.path) == folder]
    return tuple(ReferentCandidate(ref.id, instruction_of(ref), task_of(ref.path).goal) for ref in refs)


class GroundedPolicy(ExpertPolicy):
    """Does the task that ``grounding`` understands, with Gaussian noise on the six motion actions.

    ``noise`` is the standard deviation in action units (1 is full speed); it is drawn anew per episode from the
    episode's id, so that two texts on one layout meet different noise. Without a grounding, the task's goal is done.
    """

    name = "grounded"

    def __init__(self, grounding: Grounding | None = None, noise: float = 0.0) -> None:
        super().__init__()
        if not (isinstance(noise, int | float) and 0 <= noise < float("inf")):
            raise ProctorError(f"policy {self.name!r}: noise is {noise!r}, it must be a number of at least 0")
        self._grounding = grounding
        self._noise = float(noise)
        self._rng = np.random.default_rng(0)
        self.understood = ""

    def spec(self) -> PolicySpec:
        """As the expert's, with the noise in the fingerprint."""
        fingerprint = f"{self.name}-{policy_code(type(self))}-noise{self._noise:g}"
        return PolicySpec(name=self.name, privileged=True, fingerprint=fingerprint)

    def goal_for(self, instruction: str, episode: EpisodeSpec) -> Expr | None:
        """Return what the instruction is taken to want; None if nothing."""
        if self._grounding is None:
            self.understood = episode.task
            return task_of(Path(episode.task_path), episode.seed, episode.episode).goal
        found = self._grounding.choose(instruction, suite_tasks(episode.task_path))
        self.understood = "" if found is None else found.task
        return None if found is None else found.goal

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Begin an episode: ground the instruction, plan for that goal."""
        self._rng = named_rng(episode.seed, "probe", episode.episode_id)
        self.begin(self.goal_for(instruction, episode))

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Return the expert's next action for the goal understood, disturbed."""
        action = super().act(observation)
        if self._noise == 0 or self.done:
            return action
        disturbed = action.copy()
        disturbed[:6] = np.clip(action[:6] + self._rng.normal(0.0, self._noise, 6), -1.0, 1.0)
        return disturbed


class KeywordPolicy(GroundedPolicy):
    """Understands a task only by its own words (`KeywordGrounding`)."""

    name = "keyword"

    def __init__(self, noise: float = 0.0) -> None:
        super().__init__(KeywordGrounding(), noise)


class NearestPolicy(GroundedPolicy):
    """Does the task whose instruction is nearest in an embedding space (`NearestGrounding`)."""

    name = "nearest"

    def __init__(self, embedding: str = "minilm", noise: float = 0.0) -> None:
        super().__init__(NearestGrounding(vectors_named(embedding)), noise)


class NoisyPolicy(GroundedPolicy):
    """Always does the right task, with unsteady hands: it fails in execution, never in understanding."""

    name = "noisy"

    def __init__(self, noise: float = 0.05) -> None:
        super().__init__(None, noise)


class DeafPolicy(GroundedPolicy):
    """Does the task of the scene whatever it is told, as a policy that learned to ignore language."""

    name = "deaf"

    def __init__(self, noise: float = 0.0) -> None:
        super().__init__(None, noise)
