"""From a noun phrase to a thing: by its words, then by where it stands. Left is +y, near is -x."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ._types import Part, SeenThing

_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "sixth": 5, "seventh": 6}
_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8"}
_NUMBERS |= {"nine": "9", "ten": "10", "ace": "a", "king": "k", "queen": "q", "jack": "j"}
_IDLE = frozenset({"the", "a", "an", "of", "that", "which", "is", "are", "on", "in", "into", "to", "and", "with", "as"})
_PRONOUNS = ("it", "them", "that", "this", "one", "that one", "this one")
_FROM = re.compile(
    r"\b(?P<ordinal>first|second|third|fourth|fifth|sixth|seventh)\b(?P<noun>.*?)"
    r"\bfrom the (?P<side>left|right|near|far)"
)
_EXTREME = re.compile(r"\b(leftmost|rightmost|nearest|closest|farthest|furthest)\b")
_SIDE = re.compile(r"^(left|right|middle|near|far) (?P<noun>.+)$")
_BESIDE = re.compile(r"^(?P<noun>.+?) (?P<side>left of|right of|to the left of|to the right of) (?P<other>.+)$")
_WITHIN = re.compile(r"^(?P<noun>.+?) (?:that is |which is )?(?:in|on|from) (?:the )?(?P<other>.+)$")
_LAYER = re.compile(r"\b(upper|top|lower|bottom) (?:shelf|layer)\b")
LEAST_STEM = 5
Key = Callable[[SeenThing], float]
_ALONG: dict[str, Key] = {
    "left": lambda thing: -thing.position[1],
    "right": lambda thing: thing.position[1],
    "near": lambda thing: thing.position[0],
    "far": lambda thing: -thing.position[0],
}


def tokens(text: str) -> set[str]:
    """Return the words of a text: singular, numbers as digits, without what carries no meaning beside others."""
    words = re.findall(r"[a-z0-9]+", text.lower().replace("'s", ""))
    return {_singular(_NUMBERS.get(word, word)) for word in words if word not in _IDLE or len(words) == 1}


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def ground(phrase: str, things: Sequence[SeenThing], last: SeenThing | None = None) -> SeenThing | None:
    """Return the thing that ``phrase`` means among ``things``, None if nothing fits; ``last`` is what "it" means."""
    phrase = phrase.strip()
    if phrase in _PRONOUNS:
        return last
    if (found := _FROM.search(phrase)) is not None:
        fitting = _on_layer(phrase, _fitting(found["noun"], things) or list(things))
        ordered = sorted(fitting, key=_ALONG[found["side"]])
        place = _ORDINALS[found["ordinal"]]
        return ordered[place] if place < len(ordered) else None
    if (found := _EXTREME.search(phrase)) is not None:
        side = {"leftmost": "left", "rightmost": "right", "nearest": "near", "closest": "near"}.get(found[1], "far")
        fitting = _fitting(phrase.replace(found[1], " "), things)
        return min(fitting, key=_ALONG[side], default=None)
    if (found := _SIDE.match(phrase)) is not None and len(fitting := _fitting(found["noun"], things)) > 1:
        side = found[1]
        ordered = sorted(fitting, key=_ALONG["left" if side == "middle" else side])
        return ordered[len(ordered) // 2] if side == "middle" else ordered[0]
    return _beside(phrase, things) or _within(phrase, things) or _best(_fitting(phrase, things))


def _on_layer(phrase: str, things: list[SeenThing]) -> list[SeenThing]:
    """Keep what stands on the upper or lower layer, where the phrase says so: above or below the middle height."""
    found = _LAYER.search(phrase)
    heights = [thing.position[2] for thing in things]
    if found is None or not heights:
        return things
    middle = (min(heights) + max(heights)) / 2
    upper = found[1] in ("upper", "top")
    return [thing for thing in things if (thing.position[2] > middle) == upper]


def _beside(phrase: str, things: Sequence[SeenThing]) -> SeenThing | None:
    """Read "the pear right of the orange"."""
    found = _BESIDE.match(phrase)
    other = ground(found["other"], things) if found else None
    if found is None or other is None:
        return None
    sign = 1.0 if "left" in found["side"] else -1.0
    beside = [
        thing for thing in _fitting(found["noun"], things) if sign * (thing.position[1] - other.position[1]) > 0.01
    ]
    return min(beside, key=lambda thing: _apart(thing, other), default=None)


def _within(phrase: str, things: Sequence[SeenThing]) -> SeenThing | None:
    """Read "the peach that is in the tray", where there are several peaches."""
    found = _WITHIN.match(phrase)
    if found is None or len(fitting := _fitting(found["noun"], things)) < 2:
        return None
    other = _best(_fitting(found["other"], things))
    if other is None:
        return None
    return _best([thing for thing in fitting if thing.inside.partition("/")[0] == other.name])


def _fitting(phrase: str, things: Sequence[SeenThing]) -> list[SeenThing]:
    """Return the things that share most words with a phrase, all of them where several share as many."""
    said = tokens(phrase)
    shares = [(max((_share(said, word) for word in thing.words), default=0.0), thing) for thing in things]
    shares = [(share + 0.1 * len(said & _all_tokens(thing)), thing) for share, thing in shares]
    most = max((share for share, _ in shares), default=0.0)
    return [thing for share, thing in shares if share == most] if most > 0.0 else []


def _share(said: set[str], word: str) -> float:
    """Return how many of the words of a name were said, less a quarter of those that were not."""
    meant = tokens(word)
    heard = sum(any(_alike(a, b) for b in said) for a in meant)
    return heard - 0.25 * (len(meant) - heard) if heard else 0.0


def _alike(a: str, b: str) -> bool:
    """Whether two words are one, up to an ending: realism and realist, cubism and cubist."""
    return a == b or (
        min(len(a), len(b)) > LEAST_STEM and a[:LEAST_STEM] == b[:LEAST_STEM] and abs(len(a) - len(b)) < 3
    )


def _all_tokens(thing: SeenThing) -> set[str]:
    return set().union(*(tokens(word) for word in thing.words)) if thing.words else set()


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
