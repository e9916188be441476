"""Other ways to say a command: its acts, other names for its things, other verbs and sentence patterns.

``pick up x and place it on y`` is one act, put(x, on y), told in two clauses. `surface` keeps the clauses (for changes
of words), `acts_of` merges them (for changes of structure).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from pathlib import Path

from ._grammar import Clause, ParsedInstruction, Phrase, join
from ._lexicon import Lexicon, inflect
from ._phrases import Scene
from ._words import tokens

FILE = Path(__file__).with_name("grammar.toml")
_PARTICLES = ("on", "off", "up", "out", "open", "shut", "closed", "in", "back in", "down", "away", "going", "running")
_ADJECTIVES = {"open": "open", "close": "closed", "turn_on": "on", "turn_off": "off"}
# Where something is once it has been moved there.
_RESULT = {
    "to the front of": "at the front of",
    "over to the front of": "at the front of",
    "to the top of": "on top of",
    "onto the top of": "on top of",
    "onto": "on",
    "into": "in",
    "to": "in",
}
LEXICON_VERBS = {
    "put": "put",
    "open": "open",
    "close": "close",
    "turn_on": "turn on",
    "turn_off": "turn off",
    "push": "push",
    "pick": "pick up",
    "take_out": "take out",
}
AXIS_RELATIONS = {
    "addition_deletion": ("attribute",),
    "same_polarity_contextual": ("context", "hypernym"),
    "same_polarity_habitual": ("synonym",),
}
_STATIC = {"position", "situate", "rest", "settle"}
_MOTION = {"move", "transfer", "shift", "relocate"}
_UPON = {"place", "set", "lay", "rest", "settle"}
_ONTO = {"place", "set", "deposit"}
_ALWAYS_AFTER = {"going", "running", "back in"}
_NEVER_SPLIT = {"open up", "start up"}
_LEADING = frozenset(
    {"small", "round", "nearby", "empty", "clean", "tall", "open", "large", "fresh", "whole", "ripe", "compact"}
)
_ORDINAL = frozenset({"top", "middle", "bottom", "first", "second", "central", "center", "topmost", "uppermost"})
_IMPERATIVE = {"coordination", "subordination"}
_CALM = ("carefully", "gently", "slowly", "cautiously", "steadily", "calmly")
# Fields that contain the verb, so that a pattern with one of them shows which verb was chosen.
_VERBAL = ("{base", "{ger", "{had", "{done", "{tobe", "{has_", "{still_to", "{steps", "{seq_")
MAX_NOUN_CHOICES = 400


@dataclass(frozen=True, slots=True)
class RequestedAct:
    """One thing to do. ``after`` puts the verb's particle after the theme (``turn the stove on``)."""

    kind: str
    verb: str
    theme: str = ""
    plural: bool = False
    relation: str = ""
    landmark: str = ""
    tail: str = ""
    pronoun: str = ""
    link: str = ""
    particle: str = ""
    after: bool = False

    @property
    def it(self) -> str:
        return "them" if self.plural else "it"

    @property
    def where(self) -> str:
        """The goal of a movement as written: ``on the plate``."""
        return _words(self.relation, self.landmark, self.tail)

    @property
    def at(self) -> str:
        """The goal as a place: ``at the front of the stove`` for ``to the front of the stove``."""
        return _words(_RESULT.get(self.relation, self.relation), self.landmark, self.tail)

    def vp(self, verb: str | None = None, *, it: bool = False) -> str:
        """Return the verb phrase with ``verb`` (the base form if none), the theme as a pronoun if ``it``."""
        theme = self.pronoun or (self.it if it else self.theme)
        particle_last = self.after or it or bool(self.pronoun)
        before, behind = ("", self.particle) if particle_last else (self.particle, "")
        return _words(verb or self.verb, before, theme, behind, self.where)

    @property
    def participle(self) -> str:
        """The past participle with what follows it: ``put on the plate``, ``turned on``."""
        return _words(inflect(self.verb)[0], self.particle, self.where)

    @property
    def adjective(self) -> str:
        """The state that is wanted: ``on the plate``, ``open``, ``picked up``."""
        if self.kind in _ADJECTIVES:
            return _words(_ADJECTIVES[self.kind], self.tail)
        return self.at if self.relation and self.kind != "pick" else self.participle


def _words(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def split_verb(verb: str) -> tuple[str, str]:
    """Return verb and particle: ``switch on`` is ``("switch", "on")``."""
    head, _, rest = verb.partition(" ")
    return (head, rest) if rest in _PARTICLES else (verb, "")


def surface(command: ParsedInstruction, words: Lexicon) -> tuple[RequestedAct, ...]:
    """Return one act per clause, pronouns kept."""
    return tuple(_act(clause, words) for clause in command.clauses)


def acts_of(command: ParsedInstruction, words: Lexicon) -> tuple[RequestedAct, ...]:
    """Return the acts, a pick followed by a put of ``it`` as one."""
    acts: list[RequestedAct] = []
    for act in surface(command, words):
        last = acts[-1] if acts else None
        if last is not None and last.kind == "pick" and act.kind == "put" and act.pronoun:
            acts[-1] = replace(act, theme=last.theme, plural=last.plural, pronoun="", link=last.link)
        else:
            acts.append(act)
    return tuple(acts)


def _act(clause: Clause, words: Lexicon) -> RequestedAct:
    verb, particle = split_verb(clause.verb)
    nouns = [phrase.noun.lower() for phrase in clause.theme]
    many = len(nouns) > 1 or any(noun == "scissors" or words.singular(noun) not in (noun, None) for noun in nouns)
    return RequestedAct(
        kind=clause.act,
        verb=verb,
        theme=join(clause.theme),
        plural=many or clause.pronoun == "them",
        relation=clause.relation,
        landmark=join(clause.landmark),
        tail=clause.tail,
        pronoun=clause.pronoun,
        link=clause.link,
        particle=particle,
    )


def write(acts: Sequence[RequestedAct]) -> str:
    """Return the acts as the clauses of one command, with their own links."""
    return "".join(act.link + act.vp() for act in acts)


def fields(acts: Sequence[RequestedAct]) -> dict[str, str]:
    """Return what the patterns of ``grammar.toml`` may use; those of a single act only where there is one."""
    told = [replace(act, link="") for act in acts]
    values = {
        "base": join(act.vp() for act in told),
        "ger": join(act.vp(inflect(act.verb)[1]) for act in told),
        "had": join(act.vp(inflect(act.verb)[0]) for act in told),
        "done": join(f"{act.theme} {act.participle}" for act in told),
        "tobe": join(f"{act.theme} to be {act.participle}" for act in told),
        "goal": join(f"{act.theme} {act.adjective}" for act in told),
        "state": join(f"{act.theme} {_is(act)} {act.adjective}" for act in told),
        "not": join(f"{act.theme} {_is(act)} not {act.adjective}" for act in told),
        "has_not": join(f"{act.theme} {_has(act)} not been {act.participle}" for act in told),
        "should": join(f"{act.theme} should be {act.adjective}" for act in told),
        "still_to": join(f"{act.theme} still {_has(act)} to be {act.participle}" for act in told),
        "is_q": f"{_is(told[0])} " + join(f"{act.theme} {act.adjective}" for act in told),
        "has_q": f"{_has(told[0])} " + join(_been(act, i) for i, act in enumerate(told)),
        "be": join(f"{act.theme} {'be ' if i == 0 else ''}{act.adjective}" for i, act in enumerate(told)),
        "were": join(f"{act.theme} were {act.adjective}" for act in told),
    }
    return {**values, **(_single(told[0]) if len(told) == 1 else _several(told))}


def _single(act: RequestedAct) -> dict[str, str]:
    return {
        "theme": act.theme,
        "it": act.it,
        "at": act.at,
        "adj": act.adjective,
        "is": _is(act),
        "s": "" if act.plural else "s",
        "base_it": act.vp(it=True),
    }


def _several(acts: Sequence[RequestedAct]) -> dict[str, str]:
    bases = [act.vp() for act in acts]
    steps: list[str] = []
    for act in acts:
        if act.kind == "put" and not act.pronoun:
            steps += [f"pick up {act.theme}", act.vp(it=True)]
        else:
            steps.append(act.vp())
    gerunds = [act.vp(inflect(act.verb)[1]) for act in acts]
    return {
        "seq_then": ", then ".join(bases),
        "seq_after": " and after that ".join(bases),
        "seq_stop": ". Then ".join([bases[0], *bases[1:]]),
        "seq_when_done": "; when that is done, ".join(bases),
        "seq_ger": ", go on by ".join(gerunds[:-1]) + f" and finish by {gerunds[-1]}",
        "steps": ", ".join(steps[:-1]) + f", and {steps[-1]}",
    }


def _is(act: RequestedAct) -> str:
    return "are" if act.plural else "is"


def _has(act: RequestedAct) -> str:
    return "have" if act.plural else "has"


def _been(act: RequestedAct, position: int) -> str:
    return f"{act.theme} {'been ' if position == 0 else ''}{act.participle}"


@lru_cache(maxsize=1)
def patterns() -> dict[str, dict[str, list[str]]]:
    """Return the sentence patterns by action type."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Wording:
    """One choice of the action axis: a pattern, other verbs, an added word. ``said`` tells which."""

    pattern: str = ""
    verbs: tuple[tuple[str, RequestedAct], ...] = ()
    adverb: str = ""
    after: bool = False
    said: Mapping[str, str] = field(default_factory=dict)


def noun_choices(command: ParsedInstruction, kind: str, words: Lexicon, scene: Scene | None) -> list[dict[str, str]]:
    """Return every way to rename things by object type ``kind``: what is replaced to what."""
    options: dict[str, list[str]] = {}
    for phrase in command.phrases():
        noun = words.singular(phrase.noun.lower())
        if noun is None or noun in options:
            continue
        plural = noun != phrase.noun.lower()
        texts = [entry.text for entry in words.of(noun, "n", *AXIS_RELATIONS[kind])]
        if kind == "addition_deletion":
            texts += _scene_names(noun, phrase, scene)
        # Only an addition keeps the noun, and so its plural.
        options[phrase.noun.lower()] = [t for t in texts if not plural or t.endswith(f" {noun}")]
        if kind == "same_polarity_habitual":
            for modifier in phrase.modifiers:
                options[modifier] = [entry.text for entry in words.of(modifier, "a", "synonym")]
    options = {noun: list(dict.fromkeys(texts)) for noun, texts in options.items() if texts}
    choices = []
    for picked in product(*([None, *texts] for texts in options.values())):
        chosen = {noun: text for noun, text in zip(options, picked, strict=True) if text is not None}
        if chosen and not _repeats(command, chosen):
            choices.append(chosen)
    step = max(1, len(choices) // MAX_NOUN_CHOICES)
    return choices[::step]


def _repeats(command: ParsedInstruction, chosen: Mapping[str, str]) -> bool:
    """Return whether new words would be said twice, as in "the drawer of the drawer unit"."""
    new = [word for old, text in chosen.items() for word in tokens(text) if word not in (*tokens(old), "of")]
    kept = [word for word in tokens(str(command)) if word not in chosen]
    return len(set(new)) < len(new) or bool(set(new) & set(kept))


def _scene_names(noun: str, phrase: Phrase, scene: Scene | None) -> list[str]:
    """Return the names with one word more that the scene gives to the only thing of this noun."""
    if scene is None or phrase.modifiers:
        return []
    owners = [names for names in scene.values() if noun in names]
    longer = [name for names in owners for name in names if name.endswith(f" {noun}")]
    return [name for name in longer if len(name.split()) == len(noun.split()) + 1] if len(owners) == 1 else []


def rename(command: ParsedInstruction, names: Mapping[str, str], words: Lexicon) -> ParsedInstruction:
    """Return the command with its nouns and modifiers replaced."""

    def change(phrase: Phrase) -> Phrase:
        noun = phrase.noun.lower()
        text = names.get(noun, phrase.noun)
        singular = words.singular(noun)
        if noun in names and singular != noun and singular is not None:
            text = text.removesuffix(singular) + noun
        modifiers = [names.get(modifier, modifier) for modifier in phrase.modifiers]
        first, _, rest = text.partition(" ")
        if first in _LEADING and rest:
            # Size and state come before colour and material, but after "top" and "middle".
            at = sum(modifier in _ORDINAL for modifier in modifiers)
            modifiers.insert(at, first)
            text = rest
        return replace(phrase, noun=text, modifiers=tuple(modifiers))

    return command.map_phrases(change)


def wordings(command: ParsedInstruction, actions: Sequence[str], words: Lexicon) -> list[Wording]:
    """Return every way to say the acts by the action types ``actions``: none, one, or a lexical and another."""
    if not actions:
        return [Wording()]
    lexical = _lexical(command, actions[0], words) if actions[0] in AXIS_RELATIONS else []
    if len(actions) == 1 and actions[0] in AXIS_RELATIONS:
        return lexical
    told = acts_of(command, words)
    shapes = [Wording(pattern=p, said={"pattern": p}) for p in _patterns_for(actions[-1], told)]
    if len(actions) == 1:
        return shapes
    both = []
    for shape, word in product(shapes, lexical):
        takes_adverb = "{base" in shape.pattern or "{done}" in shape.pattern
        if word.adverb and (not takes_adverb or word.after or word.adverb not in _CALM):
            continue
        awkward = any(act.verb == "get" for _, act in word.verbs)
        if word.verbs and (awkward or not any(name in shape.pattern for name in _VERBAL)):
            continue
        both.append(replace(word, pattern=shape.pattern, said={**word.said, **shape.said}))
    return both


def _patterns_for(action: str, acts: Sequence[RequestedAct]) -> list[str]:
    table = patterns()[action]
    found = list(table.get("any", []))
    if len(acts) > 1:
        return found + table.get("multi", [])
    return found + table.get(acts[0].kind, table.get("other", []))


def _lexical(command: ParsedInstruction, action: str, words: Lexicon) -> list[Wording]:
    if action == "addition_deletion":
        table = patterns()[action]
        found = [Wording(adverb=text, said={"added": text}) for text in table["before"]]
        return found + [Wording(adverb=text, after=True, said={"added": text}) for text in table["after"]]
    acts = surface(command, words)
    # One verb for one kind of act, however often it is told.
    options: dict[str, list[RequestedAct]] = {}
    for act in acts:
        again = act.kind in options
        options.setdefault(act.kind, verb_choices(act, action, words))
        if again:
            options[act.kind] = [choice for choice in options[act.kind] if choice.verb not in _MOTION]
    found = []
    for picked in product(*([None, *choices] for choices in options.values())):
        chosen = [(kind, act) for kind, act in zip(options, picked, strict=True) if act is not None]
        if chosen:
            said = {LEXICON_VERBS[kind]: _spelled(act) for kind, act in chosen}
            found.append(Wording(verbs=tuple(chosen), said=said))
    return found


def _spelled(act: RequestedAct) -> str:
    verb = f"{act.verb} … {act.particle}" if act.after else f"{act.verb} {act.particle}"
    return f"{verb.strip()} ({act.relation})" if act.relation else verb.strip()


def verb_choices(act: RequestedAct, action: str, words: Lexicon) -> list[RequestedAct]:
    """Return the act with each other verb, particle place and fitting preposition."""
    base = LEXICON_VERBS.get(act.kind)
    if base is None:
        return []
    found = []
    for entry in words.of(base, "v", *AXIS_RELATIONS[action]):
        if entry.text == " ".join(filter(None, (act.verb, act.particle))):
            continue
        verb, particle = split_verb(entry.text)
        splits = bool(particle) and entry.text not in _NEVER_SPLIT
        places = [True] if particle in _ALWAYS_AFTER else [False, True] if splits else [False]
        for after, relation in product(places, _relations(act, verb)):
            found.append(replace(act, verb=verb, particle=particle, after=after, relation=relation))
    return found


def _relations(act: RequestedAct, verb: str) -> list[str]:
    """Return the prepositions that keep the relation and go with the verb."""
    if act.kind == "push" and act.relation.startswith("to"):
        return [act.relation, f"over {act.relation}"]
    if act.kind != "put":
        return [act.relation]
    static, motion, onto = verb in _STATIC, verb in _MOTION, verb in _ONTO
    match act.relation:
        case "on":
            return ["onto"] if motion else ["on", *(["upon"] if verb in _UPON else []), *(["onto"] if onto else [])]
        case "in":
            return ["into"] if motion else ["in", "inside", *([] if static else ["into"])]
        case "on top of" | "on the top of":
            if motion:
                return ["onto the top of", "to the top of"]
            return ["on top of", "atop", *(["onto the top of"] if onto else [])]
        case other:
            return [other]


def say(command: ParsedInstruction, wording: Wording, words: Lexicon) -> str:
    """Return the command in this wording, without regard to capitals."""
    chosen = dict(wording.verbs)
    if not wording.pattern:
        text = write(_with(surface(command, words), chosen))
        if not wording.adverb:
            return text
        return f"{text} {wording.adverb}" if wording.after else f"{wording.adverb} {text}"
    acts = _with(acts_of(command, words), chosen)
    values = fields(acts)
    if wording.adverb:
        values |= {name: f"{wording.adverb} {values[name]}" for name in ("base", "base_it") if name in values}
        start = f"{acts[0].theme} "
        values["done"] = f"{start}{wording.adverb} {values['done'].removeprefix(start)}"
    return wording.pattern.format_map(values)


def _with(acts: Sequence[RequestedAct], chosen: Mapping[str, RequestedAct]) -> list[RequestedAct]:
    kinds = [act.kind for act in acts]
    changed = []
    for act in acts:
        other = chosen.get(act.kind)
        if other is not None:
            # The preposition goes with the verb's own place, so two places keep theirs.
            relation = other.relation if kinds.count(act.kind) == 1 and act.relation else act.relation
            act = replace(act, verb=other.verb, particle=other.particle, after=other.after, relation=relation)
        changed.append(act)
    return changed


def styled(text: str, original: str, actions: Sequence[str]) -> str:
    """Return the text with a capital where it is a sentence of its own, else as the original begins."""
    lexical = not actions or actions[-1] in AXIS_RELATIONS or actions[-1] in _IMPERATIVE
    first = original[:1] if lexical else "A"
    return (text[:1].upper() if first.isupper() else text[:1].lower()) + text[1:]


def echoes(text: str, original: str) -> bool:
    """Return whether a new word sounds like another of the text, as in "slide open the sliding drawer"."""
    stems = [part[:4] for word in tokens(text) for part in word.split("-") if len(part) >= 4]
    allowed = [word[:4] for word in tokens(original)]
    return any(stems.count(stem) > max(1, allowed.count(stem)) for stem in stems)


def key(text: str) -> str:
    """Return what two texts must differ in to be two: their words, without case and punctuation."""
    return " ".join(tokens(text))
