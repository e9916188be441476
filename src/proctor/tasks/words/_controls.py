"""Instructions that should change what a policy does, or should change nothing.

A success rate under paraphrase says little about a policy that does not listen. The controls are texts whose right
response is known:

- ``none``: no text at all; ``shuffled``: the instruction's words in another order,
- ``wrong``: the instruction of another task of the suite; ``wrong_object``: another thing of the scene in place of the
  one to be handled; ``antonym``: the opposite act or relation,
- ``punctuation``: the same words with other case and marks, which should change nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from ._grammar import ParsedInstruction, Phrase, parse_instruction
from ._lexicon import Lexicon, lexicon
from ._phrases import Scene
from ._wording import LEXICON_VERBS
from ._words import DRAWERS, tokens

CONTROLS = ("none", "wrong", "shuffled", "wrong_object", "antonym", "punctuation")
# Under these a policy that follows its instruction cannot be expected to reach the task's own goal.
MISLEADING = ("none", "wrong", "wrong_object", "antonym")
_OPPOSITE_ACTS = {"open": "close", "close": "open", "turn_on": "turn off", "turn_off": "turn on", "push": "pull"}
_OPPOSITE_RELATIONS = {
    "on": "under",
    "in": "next to",
    "on top of": "under",
    "on the top of": "under",
    "to the front of": "to the back of",
    "inside": "outside",
    "to": "away from",
    "next to": "far from",
    "out of": "into",
}
# Asked for where the scene has nothing else to carry.
_ELSEWHERE = ("sponge", "spoon", "towel", "marker")
# Things that cannot be carried: to ask for them would be refused for another reason.
_FIXED = frozenset({"table", "floor", "drawer", "cabinet", "stove", "rack", "shelf", "burner"})
_PUNCTUATION = ("{}.", "{}!", "{} .", "“{}”", "- {}", "{}...")


def control(
    kind: str, instruction: str, seed: int, *, others: Sequence[str] = (), scene: Scene | None = None
) -> str | None:
    """Return the control text of an instruction, the same for the same seed; None where there is none.

    ``others`` are the other instructions of the suite (for ``wrong``), ``scene`` the things in sight and what they may
    be called (for ``wrong_object``).
    """
    rng = random.Random(seed)
    match kind:
        case "none":
            return ""
        case "wrong":
            return rng.choice(list(others)) if others else None
        case "shuffled":
            return shuffled(instruction, rng)
        case "punctuation":
            return punctuated(instruction, rng)
        case "wrong_object":
            return wrong_object(instruction, scene or {}, rng)
        case "antonym":
            return antonym(instruction)
        case other:
            raise ValueError(f"unknown control {other!r}")


def shuffled(instruction: str, rng: random.Random) -> str | None:
    """Return the words in another order than the given one; None if they have only one order."""
    words = instruction.split()
    if len(set(words)) < 2:
        return None
    other = list(words)
    while other == words:
        rng.shuffle(other)
    return " ".join(other)


def punctuated(instruction: str, rng: random.Random) -> str:
    """Return the same words in other case and marks."""
    cases = [str.upper, str.lower, str.capitalize, str.title]
    texts = {pattern.format(case(instruction)) for pattern in (*_PUNCTUATION, "{}") for case in cases}
    return rng.choice(sorted(texts - {instruction}))


def wrong_object(instruction: str, scene: Scene, rng: random.Random, words: Lexicon | None = None) -> str | None:
    """Return the instruction with the first thing to be handled swapped for another of the scene.

    The other thing is called by a name that only it has and that the instruction does not use. Where there is none, a
    thing is asked for that is not there.
    """
    book = words or lexicon()
    command = parse_instruction(instruction, book)
    clause = next((clause for clause in command.clauses if clause.theme), None)
    if clause is None:
        return None
    target = clause.theme[0]
    if clause.act in ("open", "close"):
        return _other_part(command, target, rng)
    said = set(tokens(instruction))
    unique = [
        name
        for names in scene.values()
        for name in names
        if sum(name in other for other in scene.values()) == 1
        and not set(tokens(name)) & said
        and not _FIXED & {word for phrase in names for word in tokens(phrase)}
        and not _same(target, names)
    ]
    sighted = {name for names in scene.values() for name in names}
    absent = [name for name in _ELSEWHERE if name not in sighted | said]
    return _swapped(command, target, Phrase("the", (), rng.choice(sorted(unique) or absent)))


def _other_part(command: ParsedInstruction, target: Phrase, rng: random.Random) -> str | None:
    """Return the command for another drawer of the same cabinet."""
    here = next((m for m in target.modifiers if m in DRAWERS), None)
    if here is None:
        return None
    other = rng.choice([part for part in ("top", "middle", "bottom") if part not in (here, DRAWERS[here])])
    modifiers = tuple(other if m == here else m for m in target.modifiers)
    return _swapped(command, target, replace(target, modifiers=modifiers))


def _same(target: Phrase, names: Sequence[str]) -> bool:
    whole = " ".join([*target.modifiers, target.noun]).lower()
    return target.noun.lower() in names or whole in names


def _swapped(command: ParsedInstruction, target: Phrase, other: Phrase) -> str:
    return str(command.map_phrases(lambda phrase: other if phrase is target else phrase))


def antonym(instruction: str, words: Lexicon | None = None) -> str | None:
    """Return the instruction with its first act or relation turned into its opposite; None if it has none."""
    command = parse_instruction(instruction, words or lexicon())
    text = str(command)
    for clause in command.clauses:
        if clause.act in _OPPOSITE_ACTS:
            return re.sub(rf"\b{re.escape(LEXICON_VERBS[clause.act])}\b", _OPPOSITE_ACTS[clause.act], text, count=1)
        if clause.act in ("put", "take_out") and clause.relation in _OPPOSITE_RELATIONS:
            tail = f"{clause.relation} {clause.landmark[0] if clause.landmark else ''}".strip()
            opposite = tail.replace(clause.relation, _OPPOSITE_RELATIONS[clause.relation], 1)
            return text.replace(tail, opposite, 1)
    return None
