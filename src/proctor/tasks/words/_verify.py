"""Does a text still ask for the same thing? A check by rules: same things, same relation, same act, nothing else.

A paraphrase is refused, with reasons, unless

- it is one English sentence (or two short ones) without a preamble, a list or another script,
- every noun phrase in it names exactly one thing of the scene, and the things named are those of the original (where
  the original itself names several, as "the apples" or as "the tomato on the board", the same several),
- modifiers that tell things apart (top / middle, white / black) are those of the original or synonyms of them,
- each landmark stands in the original's relation (on stays on, in stays in),
- each act is expressed by a verb of the lexicon or by the state it leads to, and no opposite act is.

The rules know words, not meaning: they refuse antonyms and wrong objects, which word vectors do not (push/pull .67).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ._errors import LanguageError
from ._grammar import ParsedInstruction, parse_instruction, require_sentence
from ._lexicon import Lexicon, inflect, lexicon
from ._phrases import Mention, Scene, SceneNames, mentions
from ._wording import LEXICON_VERBS, RequestedAct, acts_of, key
from ._words import COLOURS, PLACES, RELATIONS, tokens

MAX_WORDS = 60
_PREAMBLE = re.compile(
    r"^\s*(?:sure\b|certainly\b|of course\b|okay,|here (?:is|are)\b|paraphrase\b|output\b|answer\b)"
    r"|^\s*(?:as an ai\b|\d+[.)]|[-*•])"
    r"|variations?\b|```|:\s*$",
    re.IGNORECASE,
)
_STATES = {
    "open": (r"open", r"(?:still|not yet|remains?|stays?|if [\w\s-]+ (?:is|are)) (?:closed|shut)"),
    "close": (r"closed|shut", r"(?:still|remains?|stays?|if [\w\s-]+ (?:is|are)) open"),
    "turn_on": (r"on", r"(?:still|remains?|stays?|if [\w\s-]+ (?:is|are)) (?:switched |turned )?off"),
    "turn_off": (r"off", r"(?:still|remains?|stays?|if [\w\s-]+ (?:is|are)) (?:switched |turned )?on"),
}


@dataclass(frozen=True, slots=True)
class WordingVerdict:
    """``reasons`` say why a text is refused; ``doubts`` what the rules cannot decide: names that no one has listed.

    A text is accepted if there is neither. A reader, or a language model, may settle doubts; it may not overrule
    reasons.
    """

    text: str
    reasons: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether it may be used without further reading."""
        return not self.reasons and not self.doubts


def verify(text: str, original: str, scene: Scene | None = None, words: Lexicon | None = None) -> WordingVerdict:
    """Check ``text`` against ``original``. ``scene`` maps each entity to the phrases it may be called by.

    Without a scene, the things of the original are the scene. Raises `LanguageError` only for a bad original.
    """
    return Verifier(original, scene, words).check(text)


class Verifier:
    """Checks many texts against one original. ``fault`` says what is unclear in the original itself, if anything."""

    def __init__(self, original: str, scene: Scene | None = None, words: Lexicon | None = None) -> None:
        self._book = words or lexicon()
        self._original = original
        command = parse_instruction(original, self._book)
        self._things = names_in(scene, command, self._book)
        self._wanted = mentions(original, self._things)
        self._acts = acts_of(command, self._book)
        self._landmarks = [mentions(act.landmark, self._things)[:1] for act in self._acts]
        self.fault = self._unclear(command)

    def _unclear(self, command: ParsedInstruction) -> str:
        """Return what is wrong with the original: a name of nothing, or of several things that nothing tells apart."""
        told_apart = {self._book.singular(phrase.noun.lower()) for phrase in command.phrases() if phrase.posts}
        for mention in self._wanted:
            clear = len(mention.entities) == 1 or (mention.entities and (mention.many or mention.words & told_apart))
            if not mention.generic and not clear:
                return f"the original's {mention.text!r} names {_count(mention)}"
        return ""

    def check(self, text: str) -> WordingVerdict:
        """Return whether ``text`` asks for the same as the original."""
        try:
            require_sentence(text, limit=MAX_WORDS)
        except LanguageError as error:
            return WordingVerdict(text, (str(error),))
        if _PREAMBLE.search(text):
            return WordingVerdict(text, ("it has a preamble, a heading or a list mark: give the sentence alone",))
        if key(text) == key(self._original):
            return WordingVerdict(text, ("it has the same words as the original",))
        if self.fault:
            return WordingVerdict(text, (self.fault,))
        said = mentions(text, self._things)
        reasons, doubts = _same_things(said, self._wanted)
        reasons = reasons or _same_modifiers(said, self._wanted, self._book)
        for act, landmark in zip(self._acts, self._landmarks, strict=True):
            if not doubts:
                reasons += _same_relation(said, act, landmark)
        reasons += _same_acts(text, self._acts, self._book)
        return WordingVerdict(text, tuple(dict.fromkeys(reasons)), tuple(dict.fromkeys(doubts)))


def _count(mention: Mention) -> str:
    return f"{len(mention.entities)} things in the scene" if mention.entities else "nothing in the scene"


def _same_things(said: Sequence[Mention], wanted: Sequence[Mention]) -> tuple[list[str], list[str]]:
    """Return reasons and doubts about which things are named."""
    asked = {m.entities for m in wanted if not m.generic}
    real = [m for m in said if not m.generic]
    unlisted = [m for m in real if not m.words]
    reasons = []
    for mention in real:
        if not mention.words or mention.entities in asked:
            continue
        if len(mention.entities) != 1:
            reasons.append(f"{mention.text!r} names {_count(mention)}")
        else:
            reasons.append(f"{mention.text!r} is a thing that the original does not name")
    found = {m.entities for m in real}
    missing = [m for m in wanted if not m.generic and m.entities not in found]
    if len({m.entities for m in missing}) > len(unlisted):
        reasons += [f"{m.text!r} is not mentioned" for m in missing]
    return reasons, [f"{m.text!r} is no name that the lexicon or the scene has" for m in unlisted]


def _same_modifiers(said: Sequence[Mention], wanted: Sequence[Mention], book: Lexicon) -> list[str]:
    """Compare what tells things apart: position in a cabinet, colour, material."""
    reasons = []
    for asked in wanted:
        for modifier in asked.modifiers:
            synonyms = {modifier, *(entry.text for entry in book.of(modifier, "a", "synonym"))}
            same = [m for m in said if m.entities == asked.entities and m.words & asked.words]
            if book.of(modifier, "a") and same and not any(synonyms & set(m.modifiers) for m in same):
                reasons.append(f"{modifier!r} of {asked.text!r} is lost")
    for mention in said:
        own = {m for asked in wanted if asked.entities == mention.entities for m in asked.modifiers} | mention.true
        for modifier in mention.modifiers:
            wrong = [o for o in own for entry in book.of(o, "a", "antonym") if entry.text == modifier]
            if wrong and modifier not in own:
                reasons.append(f"{mention.text!r} says {modifier!r} where it is {wrong[0]!r}")
            elif not wrong and modifier in COLOURS and modifier not in own:
                reasons.append(f"{mention.text!r} says {modifier!r}, which is not known of it")
    return reasons


def _same_relation(said: Sequence[Mention], act: RequestedAct, landmark: Sequence[Mention]) -> list[str]:
    """Require that the landmark stands once in the act's relation (on, onto and atop are one; in and on are not)."""
    if not landmark or act.relation not in RELATIONS:
        return []
    place = landmark[0]
    before = [m.preposition for m in said if m.entities == place.entities and m.words & place.words]
    if RELATIONS[act.relation] in {RELATIONS[p] for p in before if p in RELATIONS}:
        return []
    other = f"{before[0]!r}" if before and before[0] else "no preposition"
    return [f"{place.text!r} must be {act.relation!r}, the text has {other}"]


def _same_acts(text: str, acts: Sequence[RequestedAct], book: Lexicon) -> list[str]:
    said = " ".join(tokens(text))
    reasons = []
    spoken = [(act, *_verbs(act.kind, book)) for act in acts]
    own = {verb for _, verbs, _ in spoken for verb in verbs}
    for act, verbs, opposites in spoken:
        state, counter = _STATES.get(act.kind, ("", ""))
        plain = re.sub(rf"\b(?:{counter})\b", " ", said) if counter else said
        expressed = _has(plain, verbs) or bool(state and re.search(rf"\b(?:{state})\b", plain)) or plain != said
        if not expressed and not (act.kind in ("put", "push", "pick") and act.relation):
            reasons.append(f"nothing says {LEXICON_VERBS[act.kind]!r}")
        wrong = next((verb for verb in opposites if verb not in own and _has(plain, {verb})), None)
        if wrong is not None:
            reasons.append(f"{wrong!r} is the opposite of {LEXICON_VERBS[act.kind]!r}")
    return reasons


def _verbs(kind: str, book: Lexicon) -> tuple[set[str], list[str]]:
    base = LEXICON_VERBS[kind]
    same = {base, *(entry.text for entry in book.of(base, "v", "synonym", "context"))}
    return same, [entry.text for entry in book.of(base, "v", "antonym")]


def _has(said: str, verbs: set[str]) -> bool:
    """Return whether one of the verbs is said in any form, its particle up to eight words later."""
    for verb in verbs:
        head, _, particle = verb.partition(" ")
        forms = "|".join({head, *(form.partition(" ")[0] for form in inflect(verb))})
        gap = rf"(?: [\w'-]+){{0,8}}? {particle}\b" if particle else r"\b"
        if re.search(rf"\b(?:{forms}){gap}", said):
            return True
    return False


def names_in(scene: Scene | None, command: ParsedInstruction, book: Lexicon) -> SceneNames:
    """Return what may be named: the scene's things, or those that the command itself names where none is given."""
    said = [book.singular(phrase.noun.lower()) or phrase.noun.lower() for phrase in command.phrases()]
    if scene is not None:
        return SceneNames({place: (place,) for place in said if place in PLACES} | dict(scene), book)
    things: dict[str, tuple[str, ...]] = {noun: (noun,) for noun in said}
    if {"drawer", "cabinet"} <= set(things):
        del things["drawer"]
        things["cabinet"] = ("cabinet", "drawer")
    return SceneNames(things, book)
