"""An agent of rules: it reads the instruction by a small grammar and looks the words up in the true state.

It knows nothing of the world but what the words say: "the fruit that monkeys like" means nothing to it. That makes it
the floor for what language and perception alone are worth, with the skills doing the rest.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from proctor.core import ProctorError
from proctor.tasks.words import Description, Intent, content_words, describe, intents, singulars

from ._policy import AgentPolicy
from ._tools import TABLE
from ._types import AgentObservation, Budget, Done, Level, Part, Reference, SeenThing, Tool, ToolCall

# From a noun phrase to a thing: by its words, then by where it stands. Left is +y, near is -x.

LEAST_STEM = 5
LEAST_ASIDE_M = 0.01
_ALONG: Mapping[str, Callable[[SeenThing], float]] = {
    "left": lambda thing: -thing.position[1],
    "right": lambda thing: thing.position[1],
    "near": lambda thing: thing.position[0],
    "far": lambda thing: -thing.position[0],
}


def ground(phrase: str, things: Sequence[SeenThing], last: SeenThing | None = None) -> SeenThing | None:
    """Return the thing that ``phrase`` means among ``things``, None if nothing fits; ``last`` is what "it" means."""
    said = describe(phrase)
    if said.pronoun:
        return last
    if said.place is not None:
        fitting = _on_layer(said.layer, _fitting(said.noun, things) or list(things))
        ordered = sorted(fitting, key=_ALONG[said.side])
        return ordered[said.place] if said.place < len(ordered) else None
    if said.side and len(fitting := _fitting(said.noun, things)) > 1:
        ordered = sorted(fitting, key=_ALONG["left" if said.side == "middle" else said.side])
        return ordered[len(ordered) // 2 if said.side == "middle" else 0]
    return _related(said, things) or _best(_fitting(said.text, things))


def _on_layer(layer: str, things: list[SeenThing]) -> list[SeenThing]:
    """Keep what stands on the upper or lower layer, where the phrase says so: above or below the middle height."""
    heights = [thing.position[2] for thing in things]
    if not layer or not heights:
        return things
    middle = (min(heights) + max(heights)) / 2
    return [thing for thing in things if (thing.position[2] > middle) == (layer == "upper")]


def _related(said: Description, things: Sequence[SeenThing]) -> SeenThing | None:
    """Return the thing beside another ("pear right of the orange") or, of several, in it ("peach in the tray")."""
    if not said.relation:
        return None
    fitting = _fitting(said.noun, things)
    if said.relation == "in":
        other = _best(_fitting(said.other, things)) if len(fitting) > 1 else None
        return None if other is None else _best([t for t in fitting if t.inside.partition("/")[0] == other.name])
    other = ground(said.other, things)
    if other is None:
        return None
    sign = 1.0 if said.relation == "left of" else -1.0
    beside = [thing for thing in fitting if sign * (thing.position[1] - other.position[1]) > LEAST_ASIDE_M]
    return min(beside, key=lambda thing: _apart(thing, other), default=None)


def _fitting(phrase: str, things: Sequence[SeenThing]) -> list[SeenThing]:
    """Return the things that share most words with a phrase, all of them where several share as many."""
    said = set(content_words(phrase))
    shares = [max((_share(said, word) for word in thing.words), default=0.0) for thing in things]
    shares = [share + 0.1 * _heard(said, thing) for share, thing in zip(shares, things, strict=True)]
    most = max(shares, default=0.0)
    return [thing for share, thing in zip(shares, things, strict=True) if share == most] if most > 0.0 else []


def _share(said: set[str], word: str) -> float:
    """Return how many of the words of a name were said, less a quarter of those that were not."""
    meant = set(content_words(word))
    heard = sum(any(_alike(a, b) for b in said) for a in meant)
    return heard - 0.25 * (len(meant) - heard) if heard else 0.0


def _heard(said: set[str], thing: SeenThing) -> int:
    """Return how many of the words said are in one of a thing's names, in singular or plural."""
    forms = {form for name in thing.words for word in content_words(name) for form in singulars(word)}
    return sum(bool(singulars(word) & forms) for word in said)


def _alike(a: str, b: str) -> bool:
    """Whether two words are one, up to an ending: pears and pear, realism and realist."""
    return bool(singulars(a) & singulars(b)) or (
        min(len(a), len(b)) > LEAST_STEM and a[:LEAST_STEM] == b[:LEAST_STEM] and abs(len(a) - len(b)) < 3
    )


def _best(things: Sequence[SeenThing]) -> SeenThing | None:
    """Of things that fit equally, the nearest to the robot."""
    return min(things, key=lambda thing: (thing.position[0], thing.position[1]), default=None)


def _apart(a: SeenThing, b: SeenThing) -> float:
    return sum((p - q) ** 2 for p, q in zip(a.position, b.position, strict=True))


def nearest_part(thing: SeenThing, others: Sequence[SeenThing], kind: str) -> Part | None:
    """Return the part of ``kind`` that is nearest to ``thing`` on the table, its own ones first."""
    own = [part for part in thing.parts if part.kind == kind]
    parts = own or [part for other in others for part in other.parts if part.kind == kind]
    x, y, _ = thing.position
    return min(parts, key=lambda part: (part.position[0] - x) ** 2 + (part.position[1] - y) ** 2, default=None)


TRIES = 2
# Furniture that things are drawn out of; out of everything else they are lifted.
_FRONTED = frozenset({"shelf", "fridge", "coolbox", "cool box", "microwave"})
_OF_A_BUTTON = re.compile(r"^button (of|on|before|in front of) (the )?")


class Rules:
    """Plans once, from the first look; does a call that failed once more, and then gives up."""

    def __init__(self) -> None:
        self._calls: deque[ToolCall] | None = None
        self._tries = 0
        self._current: ToolCall | None = None

    def reset(self, instruction: str, tools: Sequence[Tool]) -> None:
        self._calls, self._tries, self._current = None, 0, None

    def step(self, observation: AgentObservation) -> ToolCall | Done:
        if self._calls is None:
            assert observation.look is not None
            self._calls = deque(calls_for(observation.instruction, observation.look.things))
            if not self._calls:
                return Done("not understood")
        result = observation.result
        if result is not None and not result.ok and self._current is not None:
            if self._tries >= TRIES:
                return Done(f"gave up: {result.error}")
            self._tries += 1
            return self._current
        if not self._calls:
            return Done()
        self._current, self._tries = self._calls.popleft(), 1
        return self._current

    def spent(self) -> Mapping[str, Any]:
        """Return nothing: rules cost no tokens."""
        return {}


class RuleAgent(AgentPolicy):
    """The rules in a body. They read names, so they work from the true state only."""

    name = "rule-agent"

    def __init__(self, perception: Level = "state", calls: int = 60) -> None:
        if perception != "state":
            raise ProctorError(f"policy {self.name!r} reads names: perception is 'state', not {perception!r}")
        super().__init__(Rules(), perception, budget=Budget(calls=calls))


def calls_for(instruction: str, things: Sequence[SeenThing]) -> list[ToolCall]:
    """Return the calls for an instruction; empty where a clause of it cannot be grounded."""
    scene = _Scene(things)
    calls: list[ToolCall] = []
    for intent in intents(instruction):
        try:
            calls += scene.calls(intent)
        except _LostError:
            return []
    return calls


class _LostError(Exception):
    """Words that mean nothing in the scene."""


class _Scene:
    """Grounds intents one after the other; remembers what "it" is, what is held, and what it has opened."""

    def __init__(self, things: Sequence[SeenThing]) -> None:
        self._things = list(things)
        self._last: SeenThing | None = None
        self._held: SeenThing | None = None
        self._open = {part.name for thing in things for part in thing.parts if part.is_open}

    def calls(self, intent: Intent) -> Iterator[ToolCall]:
        """Yield the calls of an intent; raises where its words mean nothing here."""
        match intent.verb:
            case "find":
                self._movable(intent.what)
            case "wait":
                yield ToolCall("wait", {"seconds": intent.seconds})
            case "press":
                yield from self._press(intent.what)
            case "open" | "close":
                yield from self._swing(intent.verb, intent.what)
            case "flip":
                yield ToolCall("flip", {"object": self._movable(intent.what).name})
            case "take":
                yield from self._take(intent)
            case "pot":
                yield from self._put(intent.what, "pocket", "place")
            case "move" | "insert" | "hang" | "pour":
                skill = {"move": "place", "insert": "insert", "hang": "hang", "pour": "pour"}[intent.verb]
                yield from self._put(intent.what, intent.where, skill)

    def _movable(self, phrase: str) -> SeenThing:
        thing = ground(phrase, [thing for thing in self._things if thing.movable], self._last)
        if thing is None:
            raise _LostError
        self._last = thing
        return thing

    def _take(self, intent: Intent) -> Iterator[ToolCall]:
        """Pick something up and take it out of what it is in."""
        thing = self._movable(intent.what)
        yield from self._pick(thing)
        if not self._fronted(thing):
            yield ToolCall("lift")

    def _pick(self, thing: SeenThing) -> Iterator[ToolCall]:
        """Pick a thing up, and draw it out of what has a front."""
        if self._held is thing:
            return
        self._held = thing
        yield from self._reach(thing.inside)
        yield ToolCall("pick", {"object": thing.name})
        if self._fronted(thing):
            yield ToolCall("pull")

    def _fronted(self, thing: SeenThing) -> bool:
        around = self._entity(thing.inside)
        return around is not None and bool(_FRONTED & set(around.words))

    def _put(self, what: str, where: str, skill: str) -> Iterator[ToolCall]:
        thing = self._movable(what)
        target = self._target(where, thing)
        if self._held is not thing:
            yield from self._reach(str(target))
        yield from self._pick(thing)
        yield ToolCall(skill, {"target": target})
        if skill != "pour":
            self._held = None

    def _target(self, where: str, thing: SeenThing) -> Reference:
        if where in (TABLE, "desk"):
            return TABLE
        others = [other for other in self._things if other.name != thing.name and other.parts]
        if "pocket" in where.split():
            tables = [other for other in others if any("billiard" in word for word in other.words)]
            if not tables:
                raise _LostError
            return self._pocket(where, thing, tables[0])
        found = ground(where, others, None) or ground(where, [t for t in self._things if t.name != thing.name], None)
        if found is None:
            raise _LostError
        return found.name

    @staticmethod
    def _pocket(where: str, thing: SeenThing, table: SeenThing) -> Reference:
        """Return the pocket that is named by its sides, else the nearest."""
        said = set(where.split()) - {"pocket"}
        slots = [part for part in table.parts if part.kind == "slot"]
        named = [part for part in slots if said and said >= set(str(part.name).partition("/")[2].split("_"))]
        corners = [part for part in slots if "_" in str(part.name).partition("/")[2]]
        part = named[0] if named else nearest_part(_only(table, thing, corners), (), "slot")
        if part is None:
            raise _LostError
        return part.name

    def _reach(self, place: str) -> Iterator[ToolCall]:
        """Open what keeps the hand from a place, while the hand is free."""
        entity = self._entity(place)
        if entity is None:
            return
        for part in entity.parts:
            inside = str(part.name) == place or ("/" not in place and part.kind == "slot")
            if inside and part.behind is not None and part.behind not in self._open:
                self._open.add(part.behind)
                yield ToolCall("open", {"object": part.behind})

    def _entity(self, place: str) -> SeenThing | None:
        name = place.partition("/")[0]
        return next((thing for thing in self._things if thing.name == name), None)

    def _press(self, what: str) -> Iterator[ToolCall]:
        """Press the button that belongs to a thing: its own, or the nearest."""
        phrase = _OF_A_BUTTON.sub("", what.removesuffix(" button"))
        if phrase in ("its", "the", "button"):
            thing = self._last or next((thing for thing in self._things if _button(thing)), None)
        else:
            thing = ground(phrase, self._things, self._last)
        part = None if thing is None else nearest_part(thing, self._things, "button")
        if part is None:
            raise _LostError
        yield ToolCall("press", {"object": part.name})

    def _swing(self, verb: str, what: str) -> Iterator[ToolCall]:
        """Open or close what a phrase names: a thing with a door, or "the door" of the only one that has one."""
        jointed = [thing for thing in self._things if any(part.kind == "joint" for part in thing.parts)]
        named = ground(what, jointed, None)
        thing = named or (jointed[0] if jointed else None)
        parts = [part for part in thing.parts if part.kind == "joint"] if thing is not None else []
        words = set(what.split())
        part = next((part for part in parts if words & set(str(part.name).partition("/")[2].split("_"))), None)
        part = part or next(iter(parts), None)
        if part is None:
            raise _LostError
        if verb == "open" and part.name in self._open:
            return
        (self._open.add if verb == "open" else self._open.discard)(part.name)
        yield ToolCall(verb, {"object": part.name})


def _button(thing: SeenThing) -> bool:
    return any(part.kind == "button" for part in thing.parts)


def _only(table: SeenThing, thing: SeenThing, parts: Sequence[Part]) -> SeenThing:
    """Return ``table`` with some of its parts, as seen from where ``thing`` is."""
    return SeenThing(table.name, thing.position, parts=tuple(parts))
