"""The verdict on an episode: what the words can mean in the scene, against what the goal asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from proctor.tasks.cbddl import Task

from ._answer import Answer, labels_of
from ._balls import read_balls
from ._books import read_books
from ._cards import read_cards
from ._matter import read_samples
from ._panel import read_panel
from ._pictures import read_pictures
from ._scene import Scene, scene_of
from ._sets import read_dish, read_groups, read_menu, read_number, read_storage
from ._text import plain
from ._things import read_coffee, read_juice, read_microwave, read_swap, read_things
from ._tiles import read_tiles
from ._tubes import read_tubes

Word: TypeAlias = Literal["agree", "ambiguous", "disagree", "unread"]
Reader: TypeAlias = Callable[[str, Scene], list[Answer]]
# What stands in a scene tells what the words are about; the first line whose things are all there reads them.
_READERS: tuple[tuple[tuple[str, ...], Reader], ...] = (
    (("card",), read_cards),
    (("mahjong",), read_tiles),
    (("billiard_ball",), read_balls),
    (("sample",), read_samples),
    (("tube",), read_tubes),
    (("panel",), read_panel),
    (("painting",), read_pictures),
    (("number_cube",), read_number),
    (("book",), read_books),
    (("cutlery",), read_menu),
    (("juicer",), read_juice),
    (("coffee_machine",), read_coffee),
    (("microwave",), read_microwave),
    (("bin", "flower"), read_swap),
    (("bakery",), read_groups),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """``agree``: the readings are what the goal accepts. ``ambiguous``: several, of which the goal accepts one.
    ``disagree``: the goal asks for something else. ``unread``: nothing fits.
    """

    word: Word
    instruction: str
    readings: tuple[Answer, ...]
    labels: tuple[Answer, ...]

    def __str__(self) -> str:
        readings = " OR ".join(map(str, self.readings)) or "nothing"
        return (
            f"{self.word}: {self.instruction!r} reads as {readings}; the goal is {' OR '.join(map(str, self.labels))}"
        )


def judge(task: Task) -> Verdict:
    """Read a task's words in its scene and compare with its goal."""
    readings = tuple(dict.fromkeys(read(task.language, scene_of(task))))
    labels = labels_of(task.goal)
    return Verdict(_word(readings, labels), task.language, readings, labels)


def _word(readings: Sequence[Answer], labels: Sequence[Answer]) -> Word:
    if not readings:
        return "unread"
    met = [any(reading.meets(label) for reading in readings) for label in labels]
    accepted = [any(reading.meets(label) for label in labels) for reading in readings]
    if all(met) and all(accepted):
        return "agree"
    return "ambiguous" if any(met) or len(readings) > 1 else "disagree"


def read(instruction: str, scene: Scene) -> list[Answer]:
    """Return every answer that fits the words in the scene."""
    text = plain(instruction)
    for categories, reader in _READERS:
        if scene.has(*categories):
            return reader(text, scene)
    return _reader(scene)(text, scene)


def _reader(scene: Scene) -> Reader:
    """Return who reads about food, drinks, toys and flowers."""
    if len(scene.of("tray")) == 2:
        return read_groups
    if scene.has("ingredient") and not scene.has("fridge"):
        return read_dish
    if scene.has("food"):
        return read_storage
    return read_things
