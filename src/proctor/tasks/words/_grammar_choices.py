"""What a command leaves to choose: other names for its things, other verbs and sentence patterns for its acts."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from pathlib import Path

from ._grammar import Command, Phrase
from ._grammar_acts import Act, acts_of, fields, split_verb, surface, write
from ._lexicon import Lexicon, tokens

FILE = Path(__file__).with_name("grammar.toml")
Scene = Mapping[str, tuple[str, ...]]
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


@lru_cache(maxsize=1)
def patterns() -> dict[str, dict[str, list[str]]]:
    """Return the sentence patterns by action type."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Wording:
    """One choice of the action axis: a pattern, other verbs, an added word. ``said`` tells which."""

    pattern: str = ""
    verbs: tuple[tuple[str, Act], ...] = ()
    adverb: str = ""
    after: bool = False
    said: Mapping[str, str] = field(default_factory=dict)


def noun_choices(command: Command, kind: str, words: Lexicon, scene: Scene | None) -> list[dict[str, str]]:
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


def _repeats(command: Command, chosen: Mapping[str, str]) -> bool:
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


def rename(command: Command, names: Mapping[str, str], words: Lexicon) -> Command:
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


def wordings(command: Command, actions: Sequence[str], words: Lexicon) -> list[Wording]:
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


def _patterns_for(action: str, acts: Sequence[Act]) -> list[str]:
    table = patterns()[action]
    found = list(table.get("any", []))
    if len(acts) > 1:
        return found + table.get("multi", [])
    return found + table.get(acts[0].kind, table.get("other", []))


def _lexical(command: Command, action: str, words: Lexicon) -> list[Wording]:
    if action == "addition_deletion":
        table = patterns()[action]
        found = [Wording(adverb=text, said={"added": text}) for text in table["before"]]
        return found + [Wording(adverb=text, after=True, said={"added": text}) for text in table["after"]]
    acts = surface(command, words)
    # One verb for one kind of act, however often it is told.
    options: dict[str, list[Act]] = {}
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


def _spelled(act: Act) -> str:
    verb = f"{act.verb} … {act.particle}" if act.after else f"{act.verb} {act.particle}"
    return f"{verb.strip()} ({act.relation})" if act.relation else verb.strip()


def verb_choices(act: Act, action: str, words: Lexicon) -> list[Act]:
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


def _relations(act: Act, verb: str) -> list[str]:
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


def say(command: Command, wording: Wording, words: Lexicon) -> str:
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


def _with(acts: Sequence[Act], chosen: Mapping[str, Act]) -> list[Act]:
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
