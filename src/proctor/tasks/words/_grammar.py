"""Reads an instruction into clauses: verb, theme, relation, landmark.

A small grammar for table-top commands, which covers every instruction of our suites::

    instruction = clause { ("," | "and" | "then" | ...) clause }
    clause      = verb [phrases] [relation phrases] [tail]
    phrase      = determiner {modifier} noun {preposition phrases}

``put`` and ``push`` take the first prepositional phrase as their goal; what follows describes the landmark. Verbs
such as ``pick up`` take none, so what follows describes the theme. Words that fit nowhere (``at last``, ``with the
stove turned on``) are kept as the clause's tail. A command rendered again is the same text up to case and spaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ._errors import LanguageError
from ._lexicon import Lexicon, lexicon
from ._words import RELATIONS, WRITTEN_DETERMINERS

MAX_WORDS = 120
PRONOUNS = ("it", "them")
# verb as written: (act, does it take a goal)
VERBS: dict[str, tuple[str, bool]] = {
    "pick up": ("pick", False),
    "pick": ("pick", False),
    "take out": ("take_out", False),
    "take": ("take_out", True),
    "put": ("put", True),
    "place": ("put", True),
    "set": ("put", True),
    "push": ("push", True),
    "open": ("open", False),
    "close": ("close", False),
    "turn on": ("turn_on", False),
    "turn off": ("turn_off", False),
}
_LINKS = re.compile(r"(,\s*and then\b|,\s*and\b|,\s*then\b|\band then\b|\bthen\b|\band\b|,|;|\.)\s*")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: ``the`` (determiner) ``middle`` (modifiers) ``drawer`` (noun) ``of the cabinet`` (posts)."""

    determiner: str
    modifiers: tuple[str, ...]
    noun: str
    posts: tuple[tuple[str, tuple[Phrase, ...]], ...] = ()

    def __str__(self) -> str:
        words = [self.determiner, *self.modifiers, self.noun]
        words += [f"{preposition} {join(phrases)}" for preposition, phrases in self.posts]
        return " ".join(word for word in words if word)


@dataclass(frozen=True, slots=True)
class Clause:
    """One command. ``theme`` is a pronoun where ``pronoun`` is set. ``link`` joins it to the clause before."""

    act: str
    verb: str
    theme: tuple[Phrase, ...] = ()
    pronoun: str = ""
    relation: str = ""
    landmark: tuple[Phrase, ...] = ()
    tail: str = ""
    link: str = ""

    def __str__(self) -> str:
        words = [self.verb, self.pronoun or join(self.theme), self.relation, join(self.landmark), self.tail]
        return " ".join(word for word in words if word)


@dataclass(frozen=True, slots=True)
class ParsedInstruction:
    """An instruction, read."""

    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        return "".join(clause.link + str(clause) for clause in self.clauses)

    def phrases(self) -> list[Phrase]:
        """Return every noun phrase, those inside others too, in the order of the text."""
        found: list[Phrase] = []

        def note(phrase: Phrase) -> Phrase:
            found.append(phrase)
            return phrase

        self.map_phrases(note)
        return found

    def map_phrases(self, change: Callable[[Phrase], Phrase]) -> ParsedInstruction:
        """Return the command with ``change`` done to every noun phrase."""
        return ParsedInstruction(
            tuple(
                replace(clause, theme=_mapped(clause.theme, change), landmark=_mapped(clause.landmark, change))
                for clause in self.clauses
            )
        )


def _mapped(phrases: tuple[Phrase, ...], change: Callable[[Phrase], Phrase]) -> tuple[Phrase, ...]:
    changed = (change(phrase) for phrase in phrases)
    return tuple(replace(p, posts=tuple((prep, _mapped(inner, change)) for prep, inner in p.posts)) for p in changed)


def join(parts: Iterable[object]) -> str:
    texts = [str(part) for part in parts]
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def parse_instruction(text: str, words: Lexicon | None = None) -> ParsedInstruction:
    """Read an instruction; raises `LanguageError` for an empty, endless or foreign one, or a verb it does not know."""
    require_sentence(text)
    return _Parser(text, words or lexicon()).command()


def require_sentence(text: str, *, limit: int = MAX_WORDS) -> None:
    """Refuse what cannot be an English instruction: no words, too many, other scripts, more than one line."""
    shown = repr(text if len(text) <= 60 else text[:57] + "...")
    if not text.strip():
        raise LanguageError("the instruction is empty: give a command such as 'put the bowl on the plate'")
    if len(text.split()) > limit:
        raise LanguageError(f"the instruction has {len(text.split())} words, at most {limit} are read: {shown}")
    if "\n" in text.strip():
        raise LanguageError(f"the instruction has several lines, give one sentence: {shown}")
    strange = next((c for c in text if ord(c) > 127 and c not in "’‘“”–—é"), None)
    if strange is not None:
        raise LanguageError(f"the instruction has the character {strange!r}, only plain English is read: {shown}")
    if not re.search(r"[A-Za-z]{2}", text):
        raise LanguageError(f"the instruction has no words: {shown}")


class _Parser:
    def __init__(self, text: str, words: Lexicon) -> None:
        self._text = " ".join(text.strip().rstrip(".!").split())
        self._lexicon = words
        self._rest = self._text[:1].lower() + self._text[1:]

    def command(self) -> ParsedInstruction:
        clauses = [self._clause("")]
        while self._rest:
            link = _LINKS.match(self._rest)
            if link is None:
                raise self._error("cannot read")
            self._rest = self._rest[link.end() :]
            joined = link[1] if link[1].startswith((",", ";", ".")) else f" {link[1]}"
            clauses.append(self._clause(f"{joined} "))
        return ParsedInstruction(tuple(clauses))

    def _error(self, what: str) -> LanguageError:
        return LanguageError(f"{what} {self._rest[:60]!r} in the instruction {self._text[:120]!r}")

    def _word(self, choices: Iterable[str]) -> str:
        """Take the first of ``choices`` that the rest begins with; empty if none."""
        for choice in choices:
            if re.match(rf"{re.escape(choice)}(?![\w-])", self._rest):
                self._rest = self._rest[len(choice) :].lstrip()
                return choice
        return ""

    def _clause(self, link: str) -> Clause:
        verb = self._word(VERBS)
        if not verb:
            known = ", ".join(sorted(VERBS))
            raise self._error(f"no verb that is known ({known}) begins")
        act, goal = VERBS[verb]
        pronoun = self._word(PRONOUNS)
        theme = () if pronoun else self._phrases(greedy=not goal)
        relation = ""
        landmark: tuple[Phrase, ...] = ()
        if goal:
            relation = self._word(RELATIONS)
            if relation:
                landmark = self._phrases(greedy=True)
        return Clause(act, verb, theme, pronoun, relation, landmark, self._tail(), link)

    def _phrases(self, *, greedy: bool) -> tuple[Phrase, ...]:
        phrases = []
        while True:
            phrase = self._phrase(greedy=greedy)
            if phrase is None:
                break
            phrases.append(phrase)
            follow = re.match(r"(?:,|and)\s+(?=(?:the|a|an|all)\b)", self._rest)
            if follow is None:
                break
            self._rest = self._rest[follow.end() :]
        return tuple(phrases)

    def _phrase(self, *, greedy: bool) -> Phrase | None:
        saved = self._rest
        determiner = self._word(WRITTEN_DETERMINERS)
        modifiers: list[str] = []
        noun = ""
        while True:
            found = self._noun()
            if found:
                if noun:
                    modifiers.append(noun)
                noun = found
                continue
            word = re.match(r"[A-Za-z][\w'’-]*", self._rest)
            if noun or word is None or self._stops():
                break
            modifiers.append(word[0])
            self._rest = self._rest[word.end() :].lstrip()
        if not noun and modifiers:
            # A noun that the lexicon does not have: it is read, and never replaced.
            noun = modifiers.pop()
        if not noun:
            self._rest = saved
            return None
        posts = []
        while self._takes_post(greedy):
            preposition = self._word(RELATIONS)
            inner = self._inner(preposition)
            posts.append((preposition, inner))
        return Phrase(determiner, tuple(modifiers), noun, tuple(posts))

    def _inner(self, preposition: str) -> tuple[Phrase, ...]:
        if preposition == "between":
            return self._phrases(greedy=False)
        if self._rest.startswith("it") and (pronoun := self._word(PRONOUNS)):
            return (Phrase("", (), pronoun),)
        phrase = self._phrase(greedy=False)
        if phrase is None:
            raise self._error(f"nothing after {preposition!r} at")
        return (phrase,)

    def _takes_post(self, greedy: bool) -> bool:
        choices = RELATIONS if greedy else ("of",)
        return any(re.match(rf"{re.escape(choice)}(?![\w-]) \S", self._rest) for choice in choices) and not (
            re.match(r"at last\b", self._rest)
        )

    def _noun(self) -> str:
        words = re.match(r"(?:[\w'’-]+ ?){1,4}", self._rest)
        parts = words[0].split() if words else []
        for size in range(len(parts), 0, -1):
            candidate = " ".join(parts[:size])
            if self._lexicon.singular(candidate.lower()) is not None:
                self._rest = self._rest[len(candidate) :].lstrip()
                return candidate
        return ""

    def _stops(self) -> bool:
        stop = "|".join(map(re.escape, (*RELATIONS, "and", "then", "with", *VERBS)))
        return re.match(rf"(?:{stop})(?![\w-])", self._rest) is not None

    def _tail(self) -> str:
        """Take what no rule reads, up to the next clause."""
        verbs = "|".join(map(re.escape, VERBS))
        end = re.search(rf"\s*(?:{_LINKS.pattern})(?=(?:{verbs})\b)", self._rest)
        cut = end.start() if end else len(self._rest)
        tail, self._rest = self._rest[:cut].strip(), self._rest[cut:].strip()
        return tail
