"""The 90 scenes of VLA-REPLICA (Table C.1) as data, and how a user names some of them."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from proctor.core import ProctorError, did_you_mean

Split = Literal["ID", "OOD"]
Level = Literal["easy", "medium", "hard"]
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


@dataclass(frozen=True, slots=True)
class SceneTask:
    """One of the ten tasks. ``number`` is that of Appendix C, ``table3`` that of Tables 3 to 6, which differs.

    ``counted``: success needs an exact number of repetitions, so the operator has to count.
    """

    number: int
    table3: int
    name: str
    title: str
    counted: bool
    criterion: str


@dataclass(frozen=True, slots=True)
class StationScene:
    """One arrangement of objects and the instruction that goes with it. ``id`` runs from 1 to 90, as in Table C.1."""

    id: int
    task: SceneTask
    level: Level
    split: Split
    distractors: int
    instruction: str

    @property
    def name(self) -> str:
        """``bread/ID/1``: task, split, and the place among the task's five scenes of that split."""
        return f"{self.task.name}/{self.split}/{self.variant}"

    @property
    def variant(self) -> int:
        """1 to 5: the number of the scene among those of its task and split, as the public repository counts."""
        peers = [scene.id for scene in load_scenes() if scene.task == self.task and scene.split == self.split]
        return peers.index(self.id) + 1


@functools.cache
def _data() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "scenes.toml").read_text(encoding="utf-8"))


@functools.cache
def load_tasks() -> tuple[SceneTask, ...]:
    """Return the ten tasks in the order of Appendix C."""
    return tuple(SceneTask(**entry) for entry in _data()["task"])


@functools.cache
def load_scenes() -> tuple[StationScene, ...]:
    """Return the 90 scenes in the order of Table C.1."""
    tasks = {task.number: task for task in load_tasks()}
    return tuple(StationScene(**{**entry, "task": tasks[entry["task"]]}) for entry in _data()["scene"])


def select_scenes(*selectors: str) -> tuple[StationScene, ...]:
    """Return the scenes that any of ``selectors`` names, in order, each once.

    A selector is a number or range (``7``, ``1-10``), ``all``, ``ID``, ``OOD``, a level, a task's name, or several of
    the last three joined by ``/`` (``bread/ID/easy``; a last number is the variant, as in ``bread/ID/1``).
    """
    chosen = {scene.id for selector in selectors for scene in _match(selector)}
    return tuple(scene for scene in load_scenes() if scene.id in chosen)


def _match(selector: str) -> list[StationScene]:
    scenes = load_scenes()
    numbers = _RANGE.fullmatch(selector)
    if numbers:
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        found = [scene for scene in scenes if first <= scene.id <= last]
        if not found or first < 1 or last > len(scenes):
            raise ProctorError(f"scene {selector!r}: scenes are numbered 1 to {len(scenes)}")
        return found
    found = list(scenes)
    words = {"all", "id", "ood", "easy", "medium", "hard", *(task.name for task in load_tasks())}
    for part in selector.casefold().split("/"):
        if part not in words and not part.isdigit():
            raise ProctorError(
                f"unknown scene {selector!r}{did_you_mean(part, words) or '; see proctor station scene ls'}"
            )
        found = [scene for scene in found if part == "all" or part in _labels(scene)]
    if not found:
        raise ProctorError(f"no scene fits {selector!r}: tasks oven and whiteboard have no OOD scenes")
    return found


def _labels(scene: StationScene) -> set[str]:
    return {scene.task.name, scene.split.casefold(), scene.level, str(scene.variant)}
