"""A plan: which episodes to run, as a sequence that is computed, never stored; and when one may extend another.

Order: episode 0 of every task, then episode 1 of every task, and so on, so that a run stopped early is balanced over
its tasks. Entry ``i`` is found by arithmetic; a plan of a billion episodes takes no more memory than its task list.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, overload

from proctor.core import (
    VISION_LEVELS,
    EpisodeSpec,
    ProctorError,
    TaskEntry,
    Timing,
    did_you_mean,
    episode_seed,
    episode_spec,
    named_seed,
)

# What a policy is told: the task's own words; a fixed text; one of several drawn by the episode's seed; each in turn.
DRAWN = ("W1", "W2", "W3", "W4", "shuffled", "wrong_object", "antonym", "punctuation")
LANGUAGES = ("W0", "none", "wrong", *DRAWN, "paraphrase")


@dataclass(frozen=True, slots=True)
class InstructionVariant:
    """A text in place of a task's instruction, and how it differs: types of the paraphrase, replaced words (JSON)."""

    text: str
    object_type: str = ""
    action_type: str = ""
    substitutions: str = "{}"


@dataclass(frozen=True, slots=True)
class PlanTask(TaskEntry):
    """A task of a plan.

    ``wrong`` holds the other instructions of its suite; only the language variant ``wrong`` needs them. ``variants``
    holds the texts of any other. ``assets`` is a digest of what the things of the task compile to; of a drawn task
    that is known for its episodes only.
    """

    wrong: tuple[str, ...] = ()
    variants: tuple[InstructionVariant, ...] = ()
    assets: str = ""

    def describe(self) -> dict[str, Any]:
        values = asdict(self)
        if not self.wrong:
            del values["wrong"]
        if not self.variants:
            del values["variants"]
        if not self.family:
            del values["family"]
        if not self.assets:
            del values["assets"]
        return values

    @classmethod
    def from_description(cls, values: Mapping[str, Any]) -> PlanTask:
        """Rebuild a task from what `describe` returned."""
        variants = tuple(InstructionVariant(**entry) for entry in values.get("variants", ()))
        return cls(**{**values, "wrong": tuple(values.get("wrong", ())), "variants": variants})


@dataclass(frozen=True, slots=True)
class Plan(Sequence[EpisodeSpec]):
    """``episodes`` of each of ``tasks`` under one policy; ``limit`` keeps only the first so many.

    ``language``: ``W0`` sends a task's own instruction, ``none`` an empty text, ``wrong`` that of another task of the
    suite, chosen by the episode's seed (VLA-Arena, Figure 3); the variants of `DRAWN` one of the task's texts, chosen
    by the seed; ``paraphrase`` each of its texts once per episode, so that a task with more texts has more episodes.
    ``timing`` and ``execute`` are those of `EpisodeSpec`.
    """

    tasks: tuple[PlanTask, ...]
    episodes: int
    seed: int
    policy: str
    policy_args: Mapping[str, Any] = field(default_factory=dict)
    language: str = "W0"
    vision: str = "V0"
    success_rule: Literal["hold", "any_step"] = "hold"
    compat: Literal["corrected", "paper"] = "corrected"
    limit: int | None = None
    timing: str = "pause"
    execute: int = 0
    # (task, text) of one round, in order; only under "paraphrase" is it longer than the list of tasks.
    _round: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        if self.episodes < 1:
            raise ProctorError(f"--episodes is {self.episodes}: it must be at least 1")
        if self.limit is not None and self.limit < 1:
            raise ProctorError(f"--limit is {self.limit}: it must be at least 1")
        if self.language not in LANGUAGES:
            raise ProctorError(f"unknown language variant {self.language!r} (there are {', '.join(LANGUAGES)})")
        if self.vision not in VISION_LEVELS:
            hint = did_you_mean(self.vision, VISION_LEVELS)
            raise ProctorError(f"unknown --vision {self.vision!r} (there are {', '.join(VISION_LEVELS)}){hint}")
        if self.execute < 0:
            raise ProctorError(f"--execute is {self.execute}: it must be at least 1 (0 means the whole chunk)")
        object.__setattr__(self, "timing", str(Timing.parse(self.timing)))
        names = [task.task for task in self.tasks]
        if not names:
            raise ProctorError("the plan has no task")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ProctorError(f"two task files have the id {twice}: rename one of their folders or files")
        generated = [task.task for task in self.tasks if task.family and self.language not in ("W0", "none")]
        if generated:
            raise ProctorError(
                f"language variant {self.language}: {generated[0]} draws and proves its instruction per episode; "
                f"there are no other words (use W0 or none)"
            )
        lonely = [task for task in self.tasks if not task.wrong] if self.language == "wrong" else []
        if lonely:
            raise ProctorError(
                f"--instruction wrong: suite {lonely[0].suite} has only the instruction {lonely[0].instruction!r}; "
                f"select a suite with several"
            )
        silent = [task for task in self.tasks if not task.variants] if self.language in (*DRAWN, "paraphrase") else []
        if silent:
            raise ProctorError(f"language variant {self.language}: there is no text for task {silent[0].task}")
        texts = [len(task.variants) if self.language == "paraphrase" else 1 for task in self.tasks]
        turns = ((which, turn) for turn in range(max(texts)) for which, count in enumerate(texts) if turn < count)
        object.__setattr__(self, "_round", tuple(turns))

    def __len__(self) -> int:
        total = len(self._round) * self.episodes
        return total if self.limit is None else min(total, self.limit)

    @overload
    def __getitem__(self, index: int) -> EpisodeSpec: ...
    @overload
    def __getitem__(self, index: slice) -> list[EpisodeSpec]: ...
    def __getitem__(self, index: int | slice) -> EpisodeSpec | list[EpisodeSpec]:
        if isinstance(index, slice):
            return [self._spec(i) for i in range(*index.indices(len(self)))]
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(f"plan has {len(self)} episodes, no number {index}")
        return self._spec(position)

    def __iter__(self) -> Iterator[EpisodeSpec]:
        return (self._spec(i) for i in range(len(self)))

    def _spec(self, index: int) -> EpisodeSpec:
        turns, place = divmod(index, len(self._round))
        which, turn = self._round[place]
        task = self.tasks[which]
        episode = turns if self.language != "paraphrase" else turns * len(task.variants) + turn
        seed = episode_seed(self.seed, task.family or task.task, episode)
        variant = self._variant(task, seed, turn)
        return episode_spec(
            task,
            episode,
            seed=seed,
            policy=self.policy,
            policy_args=dict(self.policy_args),
            language=self.language,
            vision=self.vision,
            success_rule=self.success_rule,
            compat=self.compat,
            sent=variant.text if variant else None,
            object_type=variant.object_type if variant else "",
            action_type=variant.action_type if variant else "",
            substitutions=variant.substitutions if variant else "{}",
            timing=self.timing,
            execute=self.execute,
        )

    def _variant(self, task: PlanTask, seed: int, turn: int) -> InstructionVariant | None:
        if self.language == "W0":
            return None
        if self.language == "none":
            return InstructionVariant("")
        draw = named_seed(seed, "instruction")
        if self.language == "wrong":
            return InstructionVariant(task.wrong[draw % len(task.wrong)])
        return task.variants[turn if self.language == "paraphrase" else draw % len(task.variants)]

    def episodes_of(self, which: int) -> int:
        """Return how many episodes of task number ``which`` the plan holds."""
        rounds, rest = divmod(len(self), len(self._round))
        each = sum(task == which for task, _ in self._round)
        return rounds * each + sum(task == which for task, _ in self._round[:rest])

    def describe(self) -> dict[str, Any]:
        """Return the plan as JSON values; `Plan.from_description` rebuilds it.

        ``timing`` and ``execute`` are left out where they are the default: plans from before them keep their hash.
        """
        values = asdict(self)
        del values["_round"]
        if self.timing == "pause":
            del values["timing"]
        if self.execute == 0:
            del values["execute"]
        return {**values, "tasks": [task.describe() for task in self.tasks]}

    @classmethod
    def from_description(cls, description: Mapping[str, Any]) -> Plan:
        """Rebuild a plan from what `describe` returned."""
        tasks = (PlanTask.from_description(task) for task in description["tasks"])
        return cls(**{**description, "tasks": tuple(tasks)})

    @property
    def plan_hash(self) -> str:
        """First 16 hex digits of SHA-256 over the canonical JSON of the plan, file locations left out."""
        description = self.describe()
        for task in description["tasks"]:
            del task["path"]
        text = json.dumps(description, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


# May a second command go on in the folder of a first? Only if one plan contains the other, id for id.

_SHARED = {
    "policy": "--policy",
    "policy_args": "--policy-arg",
    "seed": "--seed",
    "success_rule": "--success",
    "compat": "--compat",
    "language": "--language or --instruction",
    "vision": "--vision",
    "timing": "--timing or --latency",
    "execute": "--execute",
}


def difference(old: Plan, new: Plan) -> str | None:
    """Return the first argument in which two plans contradict each other, as ``what was, what is``; None if neither.

    Plans agree if every episode of one is an episode of the other: more episodes, more levels or a smaller limit are
    fine; another policy, seed, suite or an edited task file is not.
    """
    for name, option in _SHARED.items():
        was, now = getattr(old, name), getattr(new, name)
        if was != now:
            return f"{option} was {was!r} and is now {now!r}"
    earlier = {task.task: task for task in old.tasks}
    for task in new.tasks:
        before = earlier.get(task.task)
        if before is None:
            continue
        if before.task_hash != task.task_hash:
            return f"task {task.task} has changed since (hash was {before.task_hash}, is now {task.task_hash})"
        if before.assets != task.assets:
            return f"the things of task {task.task} have changed since (hash was {before.assets}, is now {task.assets})"
        if before.max_steps != task.max_steps:
            return f"--max-steps was {before.max_steps} and is now {task.max_steps} (task {task.task})"
        if before.instruction != task.instruction:
            return f"instruction was {before.instruction!r} and is now {task.instruction!r}"
        if before.variants != task.variants:
            return f"the texts for task {task.task} have changed since (another file, lexicon or WordNet)"
        if before.wrong != task.wrong:
            return f"suite {task.suite} has other instructions than before"
    if contains(old, new) or contains(new, old):
        return None
    was, now = _summary(old), _summary(new)
    return f"the plan was {was} and is now {now}, and neither contains the other"


def contains(large: Plan, small: Plan) -> bool:
    """Return whether every episode of ``small`` is in ``large`` (both already agree on all shared arguments)."""
    count = {task.task: large.episodes_of(i) for i, task in enumerate(large.tasks)}
    return all(small.episodes_of(i) <= count.get(task.task, 0) for i, task in enumerate(small.tasks))


def _summary(plan: Plan) -> str:
    suites = "+".join(sorted({task.suite for task in plan.tasks}))
    levels = ",".join(sorted({task.level for task in plan.tasks}))
    return f"{suites} {levels} ({len(plan.tasks)} tasks, {len(plan)} episodes)"
