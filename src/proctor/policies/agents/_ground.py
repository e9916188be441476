"""From a noun phrase to a thing: by its words, then by where it stands. Left is +y, near is -x."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from proctor.tasks.words import Description, content_words, describe, singulars

from ._types import Part, SeenThing

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
