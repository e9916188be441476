"""Skills by name, and a plan played call by call.

A skill is a generator of actions over `Hands`. Several functions may share a name: the first whose ``when`` accepts the
arguments does it, in the order of their files; the one without ``when`` does the rest. ``needs`` says whether the hand
must hold something before or must not. What cannot be done is a `SkillError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Literal, TypeAlias

from proctor.core import did_you_mean
from proctor.tasks.cbddl import Call

from .._arm import Doing, SkillError
from .._hands import Hands

Needs: TypeAlias = Literal["", "free", "holding"]
Argument: TypeAlias = "str | float"
Skill: TypeAlias = Callable[..., Doing]
Condition: TypeAlias = Callable[..., bool]


@dataclass(frozen=True, slots=True)
class _Way:
    """One function that does a skill, under a condition."""

    do: Skill
    needs: Needs
    when: Condition | None


_ways: dict[str, list[_Way]] = {}


def skill(name: str, *, needs: Needs = "", when: Condition | None = None) -> Callable[[Skill], Skill]:
    """Register a function as a way to do the skill ``name``; ``when(hands, *args)`` says whether it is for these."""

    def register(do: Skill) -> Skill:
        ways = _ways.setdefault(name, [])
        if when is None and any(way.when is None for way in ways):
            raise ValueError(f"skill {name!r} is registered twice without a condition")
        ways.append(_Way(do, needs, when))
        return do

    return register


@cache
def _load() -> None:
    for module in sorted(path.stem for path in Path(__file__).parent.glob("_[a-z]*.py")):
        import_module(f"{__package__}.{module}")


def skills() -> tuple[str, ...]:
    _load()
    return tuple(sorted(_ways))


def perform(hands: Hands, name: str, *args: Argument) -> Doing:
    _load()
    if name not in _ways:
        raise SkillError(f"no skill {name!r}{did_you_mean(name, _ways)}")
    way = _way(hands, name, args)
    if way.needs == "free" and hands.holding is not None:
        raise SkillError(f"{name} needs a free hand, which holds {hands.holding}")
    if way.needs == "holding" and hands.holding is None:
        raise SkillError(f"{name} needs something in the hand")
    yield from way.do(hands, *args)


def play(hands: Hands, plan: Iterable[Call]) -> Doing:
    for call in plan:
        yield from perform(hands, call.skill, *call.args)


def _way(hands: Hands, name: str, args: tuple[Argument, ...]) -> _Way:
    for way in sorted(_ways[name], key=lambda way: way.when is None):
        if way.when is None or way.when(hands, *args):
            return way
    raise SkillError(f"{name} is for other things than {' '.join(map(str, args))}")
