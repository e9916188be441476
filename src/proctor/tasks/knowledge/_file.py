"""A ``.bench`` file names a generated task: a few lines of TOML.

task = "select_fruit_common_sense"   # slug of the catalogue
track = 3                            # optional: 1 to 7
split = "seen"                       # optional: all (default), seen, unseen
include = "hard"                     # optional: found only when asked for with --include hard
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from proctor.core import did_you_mean

from ._errors import KnowledgeError
from ._tasks import knowledge_task
from .facts import Split, table

SUFFIX = ".bench"
_KEYS: dict[str, type] = {"task": str, "track": int, "split": str, "include": str}
_SPLITS = ("all", "seen", "unseen")
TRACKS = (1, 2, 3, 4, 5, 6, 7)
# The tracks whose episodes share their scenes, family by family.
PAIRED = (1, 2, 3, 4, 7)
# The track whose scenes are those of track 1 in another room.
UNSEEN_LOOKS = 7


@cache
def _families() -> dict[str, tuple[str, ...]]:
    """Return, by the base task of track 1, the tasks that ask other questions about its scene (tracks 3, 4, 5)."""
    tracks = table("tracks")["tracks"]
    others = [tracks[name]["tasks_from_base"] for name in ("T3", "T4", "T5")]
    return {knowledge_task(base).slug: tuple(knowledge_task(ids[base]).slug for ids in others) for base in others[0]}


def track_tasks(track: int) -> tuple[str, ...]:
    """Return the slugs of a track's tasks, in the order of the families."""
    if track in (1, 2, 7):
        return tuple(_families())
    if track == 6:
        return tuple(knowledge_task(number).slug for number in table("tracks")["tracks"]["T6"]["tasks"])
    if track in (3, 4, 5):
        return tuple(others[track - 3] for others in _families().values())
    raise KnowledgeError(f"there is no track {track!r} (there are {', '.join(map(str, TRACKS))})")


@dataclass(frozen=True, slots=True)
class KnowledgeFile:
    """What a ``.bench`` file says."""

    task: str
    track: int | None = None
    split: Split = "all"
    include: str = ""

    @property
    def family(self) -> str:
        """The name by which episodes are seeded: on a track, that of the base task whose scene they share."""
        if self.track is None:
            return self.task
        return next((base for base, others in _families().items() if self.task in (base, *others)), self.task)

    @property
    def words(self) -> str:
        """Track and split, for a reader."""
        return f"split {self.split}" if self.track is None else f"track {self.track}, split {self.split}"


def read_knowledge_file(path: Path) -> KnowledgeFile:
    """Read a ``.bench`` file; raises `KnowledgeError` with the place of the mistake."""
    try:
        return parse_knowledge_file(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"{path}: cannot be read: {error}") from None


@lru_cache(maxsize=512)
def parse_knowledge_file(text: str, file: str) -> KnowledgeFile:
    try:
        values: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise KnowledgeError(f"{file}: {error}") from None
    for key, value in values.items():
        if key not in _KEYS:
            raise KnowledgeError(f"{file}: unknown key {key!r}{did_you_mean(key, _KEYS)}")
        if type(value) is not _KEYS[key]:
            raise KnowledgeError(f"{file}: {key} must be {_KEYS[key].__name__}")
    if "task" not in values:
        raise KnowledgeError(f'{file}: no task; write task = "select_fruit"')
    try:
        task = knowledge_task(values["task"])
        if values.get("track") is not None and task.slug not in track_tasks(values["track"]):
            raise KnowledgeError(f"{task.slug} is no task of track {values['track']}")
    except KnowledgeError as error:
        raise KnowledgeError(f"{file}: {error}") from None
    if values.get("split", "all") not in _SPLITS:
        raise KnowledgeError(f"{file}: split is {values['split']!r}: it must be {', '.join(_SPLITS)}")
    return KnowledgeFile(task.slug, values.get("track"), values.get("split", "all"), values.get("include", ""))
