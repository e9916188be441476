"""The skill language: fifteen skills, what each takes, what the hand must be like before it and is like after it.

Source: our specification of the planning examination, section 5.1. VLABench's own language has nine skills and names
no closing, drawer, turning, hanging or tool, although its composite tasks need them; `COMPAT_SKILLS` are those nine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Needs = Literal["anything", "free", "holding"]
Leaves = Literal["as it was", "holding", "free"]


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill: its arguments in order, what it means, and the hand before and after.

    ``uses_held`` says that the held object is part of what the call means, so that it is bound to the call.
    ``optional_roles`` may be left out; every other role of ``roles`` is required.
    """

    name: str
    roles: tuple[str, ...]
    meaning: str
    needs: Needs
    leaves: Leaves
    uses_held: bool = False
    optional_roles: tuple[str, ...] = ()
    meaning_zh: str = ""


_ALL = (
    Skill("pick", ("object",), "grasp the object", "free", "holding", meaning_zh="抓住该物体"),
    Skill(
        "place",
        ("target",),
        "put the held object in or on the target; doors and lids must be open",
        "holding",
        "free",
        uses_held=True,
        optional_roles=("region",),
        meaning_zh="把手中的物体放到目标里或目标上;门和盖必须已打开",
    ),
    Skill(
        "insert",
        ("target",),
        "put the held object into a hole, slot, vase or socket",
        "holding",
        "free",
        uses_held=True,
        optional_roles=("region",),
        meaning_zh="把手中的物体插入孔、槽、花瓶或插座",
    ),
    Skill(
        "pour",
        ("target",),
        "tilt the held vessel over the target",
        "holding",
        "as it was",
        uses_held=True,
        optional_roles=("region",),
        meaning_zh="把手中的容器向目标倾倒",
    ),
    Skill("press", ("object",), "press a button", "anything", "as it was", meaning_zh="按下按钮"),
    Skill(
        "pull",
        (),
        "draw the held object out, towards the robot",
        "holding",
        "as it was",
        uses_held=True,
        meaning_zh="把手中的物体朝机器人方向拉出",
    ),
    Skill(
        "push",
        ("target",),
        "push against the target with the held object or the closed hand",
        "anything",
        "as it was",
        uses_held=True,
        optional_roles=("region",),
        meaning_zh="用手中的物体或合拢的手推目标",
    ),
    Skill(
        "lift",
        (),
        "raise the held object by 10 cm",
        "holding",
        "as it was",
        uses_held=True,
        meaning_zh="把手中的物体抬高 10 厘米",
    ),
    Skill(
        "open",
        ("object",),
        "open a door, drawer, lid or laptop",
        "free",
        "as it was",
        meaning_zh="打开门、抽屉、盖或笔记本电脑",
    ),
    Skill(
        "close",
        ("object",),
        "close a door, drawer, lid or laptop",
        "anything",
        "as it was",
        meaning_zh="关上门、抽屉、盖或笔记本电脑",
    ),
    Skill(
        "flip",
        ("object",),
        "turn the object over or around and put it back",
        "free",
        "free",
        meaning_zh="把物体翻面或转过来再放回",
    ),
    Skill(
        "hang",
        ("target",),
        "hang the held object on a nail",
        "holding",
        "free",
        uses_held=True,
        optional_roles=("region",),
        meaning_zh="把手中的物体挂到钉子上",
    ),
    Skill(
        "hammer",
        ("target",),
        "drive a nail in with the held tool",
        "holding",
        "as it was",
        uses_held=True,
        optional_roles=("region",),
        meaning_zh="用手中的工具钉钉子",
    ),
    Skill(
        "strike",
        ("object", "target"),
        "hit the object with the held cue towards the target",
        "holding",
        "as it was",
        uses_held=True,
        meaning_zh="用手中的球杆把该物体击向目标",
    ),
    Skill("wait", ("seconds",), "wait, 0 to 30 seconds", "anything", "as it was", meaning_zh="等待 0 到 30 秒"),
)

SKILLS: Mapping[str, Skill] = MappingProxyType({skill.name: skill for skill in _ALL})
"""Every skill by name, in the order of the specification's table."""

COMPAT_SKILLS = ("pick", "place", "press", "open", "insert", "pull", "pour", "push", "lift")
"""The nine skills of VLABench's prompt, by our names (``open`` is its ``open_door``)."""

NEUTRAL = ("lift", "wait")
"""Skills that change nothing a plan depends on; dropped from an answer when the reference has none."""
