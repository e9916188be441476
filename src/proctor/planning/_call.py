"""A plan is a list of calls. A call as written, and the same call bound to what it acts on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._names import Names
from ._skills import SKILLS

UNREAD = "?"
"""Begins the id of an argument that names nothing in the scene: it differs from every id of a reference."""


@dataclass(frozen=True, slots=True)
class SkillCall:
    """A call as the model wrote it: values are mark numbers or texts, of whatever type they came in."""

    skill: str
    args: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.skill}({', '.join(str(value) for value in self.args.values())})"


@dataclass(frozen=True, slots=True)
class BoundCall:
    """A call together with what the hand holds when it is made, its arguments read as names of the scene.

    ``held`` is None for skills that do not act on the held object (see `Skill.uses_held`). Waiting times are no part of
    it: whether a wait was long enough is for the executors to say. ``unknown`` names arguments that the skill does not
    have: with one, a call equals none of a reference.
    """

    skill: str
    held: str | None = None
    args: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        return self.skill in SKILLS

    def __str__(self) -> str:
        shown = ", ".join(value for _, value in self.args)
        return f"{self.skill}({shown})" + (f" with {self.held}" if self.held else "")


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound call, and whether the hand was full when it was made."""

    call: BoundCall
    hand_was_full: bool


def bind(calls: Sequence[SkillCall], names: Names) -> list[Bound]:
    """Read the arguments of ``calls`` and simulate the hand: after ``pick(3)``, ``place(5)`` puts 3 on 5.

    A pick with a full hand fails, so the hand keeps what it had. Calls that release with an empty hand hold None.
    """
    bound: list[Bound] = []
    held: str | None = None
    for call in calls:
        skill = SKILLS.get(call.skill)
        args = tuple((role, value) for role, value in read_args(call, names) if role != "seconds")
        with_held = held if skill and skill.uses_held else None
        bound.append(Bound(BoundCall(call.skill, with_held, args, unknown_args(call)), hand_was_full=held is not None))
        if skill is None:
            continue
        if skill.leaves == "holding":
            held = held or next((value for _, value in args), None)
        elif skill.leaves == "free" and skill.needs == "holding":
            held = None
    return bound


def unknown_args(call: SkillCall) -> tuple[str, ...]:
    """Return the names of arguments that a skill of the language does not have, sorted."""
    skill = SKILLS.get(call.skill)
    return () if skill is None else tuple(sorted(set(call.args) - {*skill.roles, *skill.optional_roles}))


def read_args(call: SkillCall, names: Names, *, exact: bool = False) -> list[tuple[str, str]]:
    """Return (role, name) of the arguments that the skill has, in its order; (role, text) for seconds.

    Names are those that stand for what is meant, unless ``exact``.
    """
    skill = SKILLS.get(call.skill)
    if skill is None:
        return []
    region = call.args.get("region")
    read = []
    for role in skill.roles:
        if role not in call.args:
            continue
        raw = call.args[role]
        if role == "seconds":
            read.append((role, str(raw)))
            continue
        name = names.exact(raw)
        if name is not None and isinstance(region, str):
            name = names.part(name, region) or name
        read.append((role, UNREAD + str(raw) if name is None else name if exact else names.same(name, call.skill)))
    return read
