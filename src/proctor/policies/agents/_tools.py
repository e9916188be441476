"""The tools of an agent: the skills, looking, and stopping; and what their arguments refer to.

How a thing is referred to depends on the level: by name at ``state``, by number at ``marks``, by a point of a picture
``[camera, x, y]`` at ``pixels``, where x counts columns from the left and y rows from the top. The table is called
``"table"`` at every level.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from proctor.assets import Asset
from proctor.planning import SKILLS
from proctor.planning.views import pixel_of, things_of
from proctor.policies.scripted.skills import Doing, Hands, perform, skills
from proctor.sim import CAMERAS, Scene, SimEnv

from ._types import Level, Tool, ToolCall

LOOK, DONE = "look", "done"
MOST_SECONDS = 30.0
TABLE = "table"
_INTO = ("place", "insert", "pour", "push", "hang")
_OPENS = ("open", "close")
_POINTING = "[camera, x, y]"
_NEEDS = {
    "free": "the hand must be empty",
    "holding": "the hand must hold something",
    "anything": "whatever the hand holds",
}


class ToolProblem(Exception):  # noqa: N818 (it is told to the agent, not raised to the user)
    """A call that cannot be begun; ``kind`` is one of `ToolError`."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


def tools() -> tuple[Tool, ...]:
    """Return all tools: the skills that the hands can do, in the order of the language, then looking and stopping."""
    able = [SKILLS[name] for name in SKILLS if name in skills()]
    return (
        *(Tool(skill.name, skill.roles, f"{skill.meaning}; {_NEEDS[skill.needs]}") for skill in able),
        Tool(LOOK, (), "look at the scene again"),
        Tool(DONE, (), "say that the task is done, or cannot be done"),
    )


def begin(hands: Hands, call: ToolCall, reader: Reader) -> Doing:
    """Return the actions of a skill; raises `ToolProblem` where the call itself is wrong."""
    skill = SKILLS.get(call.tool)
    if skill is None or call.tool not in skills():
        raise ToolProblem("unknown_tool", f"there is no tool {call.tool!r}")
    arguments: list[str | float] = []
    for role in skill.roles:
        if role not in call.args:
            raise ToolProblem("bad_argument", f"{call.tool} needs {role!r}")
        raw = call.args[role]
        arguments.append(_seconds(raw) if role == "seconds" else reader.read(call.tool, raw))
    if skill.needs == "free" and hands.holding is not None:
        raise ToolProblem("cannot", f"{call.tool} needs an empty hand")
    if skill.needs == "holding" and hands.holding is None:
        raise ToolProblem("cannot", f"{call.tool} needs something in the hand")
    return perform(hands, call.tool, *arguments)


def _seconds(raw: Any) -> float:
    try:
        seconds = float(raw)
    except (TypeError, ValueError):
        raise ToolProblem("bad_argument", f"{raw!r} is no number of seconds") from None
    if not 0.0 <= seconds <= MOST_SECONDS:
        raise ToolProblem("bad_argument", f"waits are 0 to {MOST_SECONDS:g} seconds")
    return seconds


class Reader:
    """Reads what an argument refers to, at one level; ``marks`` are the numbers given so far."""

    def __init__(self, env: SimEnv, level: Level, size: tuple[int, int]) -> None:
        self._env, self._level, self._size = env, level, size
        self.marks: dict[int, str] = {}

    def read(self, skill: str, raw: Any) -> str:
        """Return the world's name of what ``raw`` refers to in a call of ``skill``."""
        scene = self._env.scene
        if isinstance(raw, str) and raw.strip().lower() in (TABLE, "the table"):
            return scene.workspace
        by_level = {"state": self._named, "marks": self._numbered, "pixels": self._pointed_at}
        return as_spelled(scene.assets, skill, by_level[self._level](skill, raw))

    def _named(self, skill: str, raw: Any) -> str:
        known = {thing.name for thing in things_of(self._env.scene)} | set(_part_names(self._env.scene))
        if not isinstance(raw, str) or raw not in known:
            raise ToolProblem("bad_argument", f"{raw!r} names nothing in the scene")
        return raw

    def _numbered(self, skill: str, raw: Any) -> str:
        text = str(raw).strip().lstrip("#")
        if isinstance(raw, bool) or not text.isdecimal() or int(text) not in self.marks:
            raise ToolProblem("bad_argument", f"{raw!r} is no number of a mark")
        return self.marks[int(text)]

    def _pointed_at(self, skill: str, raw: Any) -> str:
        camera, row, column = _point(raw, self._size)
        scene = self._env.scene
        geom = int(self._env.geom_ids(camera, *self._size)[row, column])
        hit = [thing for thing in things_of(scene) if geom in thing.geoms]
        if not hit:
            raise ToolProblem("bad_argument", f"there is no thing at {list(raw)!r}")
        # A part lies on its entity: the smaller is what was meant, by skills that are about parts.
        part = min(hit, key=lambda thing: len(thing.geoms))
        about_parts = skill in ("press", *_OPENS)
        entity = part.entity
        if about_parts and part.name != entity:
            return part.name
        if skill in _INTO and (slot := self._nearest_slot(camera, entity, row, column)) is not None:
            return slot
        return entity

    def _nearest_slot(self, camera: str, entity: str, row: int, column: int) -> str | None:
        """Return the slot of ``entity`` whose middle is nearest in the picture, None if it has none in sight."""
        near: list[tuple[float, str]] = []
        for thing in things_of(self._env.scene):
            if thing.entity == entity and thing.point is not None:
                pixel = pixel_of(self._env.scene, camera, thing.point, self._size)
                if pixel is not None:
                    near.append((float(np.hypot(pixel[0] - row, pixel[1] - column)), thing.name))
        return min(near)[1] if near else None


def _point(raw: Any, size: tuple[int, int]) -> tuple[str, int, int]:
    """Read ``[camera, x, y]``; return the camera, row and column."""
    if not isinstance(raw, list | tuple) or len(raw) != 3 or raw[0] not in CAMERAS:
        raise ToolProblem("bad_argument", f"{raw!r} is no point of a picture: write {_POINTING}")
    try:
        column, row = int(raw[1]), int(raw[2])
    except (TypeError, ValueError, OverflowError):
        raise ToolProblem("bad_argument", f"{raw!r} is no point of a picture: write {_POINTING}") from None
    if not (0 <= row < size[0] and 0 <= column < size[1]):
        raise ToolProblem("bad_argument", f"{raw!r} is outside the picture of {size[1]} x {size[0]} pixels")
    return str(raw[0]), row, column


def as_spelled(assets: Mapping[str, Asset], skill: str, name: str) -> str:
    """Return what the skills call ``name``: what is put into a drawer goes to its site, and its joint opens it."""
    entity, _, part = name.partition("/")
    asset = assets.get(entity)
    if asset is None or not part:
        return name
    if skill in _INTO:
        sites = [s.name for s in asset.sites if s.opening is not None and s.opening.joint == part]
        return f"{entity}/{sites[0]}" if sites else name
    if skill in _OPENS:
        site = asset.site(part)
        handle = next((handle for handle in asset.handles if handle.name == part), None)
        if site is not None and site.opening is not None:
            return f"{entity}/{site.opening.joint}"
        return f"{entity}/{handle.joint}" if handle is not None else name
    return name


def _part_names(scene: Scene) -> list[str]:
    names = []
    for entity, asset in scene.assets.items():
        parts = [site.name for site in asset.sites] + [handle.name for handle in asset.handles]
        parts += [handle.joint for handle in asset.handles] + [button.name for button in asset.buttons]
        names += [f"{entity}/{part}" for part in parts]
    return names
