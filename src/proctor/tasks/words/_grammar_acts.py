"""Acts: what a command wants done, and the forms in which English can say it.

``pick up x and place it on y`` is one act, put(x, on y), told in two clauses. `surface` keeps the clauses (for changes
of words), `acts_of` merges them (for changes of structure).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ._grammar import Clause, Command, join
from ._lexicon import Lexicon, inflect

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


@dataclass(frozen=True, slots=True)
class Act:
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
        """The pronoun for the theme."""
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


def surface(command: Command, words: Lexicon) -> tuple[Act, ...]:
    """Return one act per clause, pronouns kept."""
    return tuple(_act(clause, words) for clause in command.clauses)


def acts_of(command: Command, words: Lexicon) -> tuple[Act, ...]:
    """Return the acts, a pick followed by a put of ``it`` as one."""
    acts: list[Act] = []
    for act in surface(command, words):
        last = acts[-1] if acts else None
        if last is not None and last.kind == "pick" and act.kind == "put" and act.pronoun:
            acts[-1] = replace(act, theme=last.theme, plural=last.plural, pronoun="", link=last.link)
        else:
            acts.append(act)
    return tuple(acts)


def _act(clause: Clause, words: Lexicon) -> Act:
    verb, particle = split_verb(clause.verb)
    nouns = [phrase.noun.lower() for phrase in clause.theme]
    many = len(nouns) > 1 or any(noun == "scissors" or words.singular(noun) not in (noun, None) for noun in nouns)
    return Act(
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


def write(acts: Sequence[Act]) -> str:
    """Return the acts as the clauses of one command, with their own links."""
    return "".join(act.link + act.vp() for act in acts)


def fields(acts: Sequence[Act]) -> dict[str, str]:
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


def _single(act: Act) -> dict[str, str]:
    return {
        "theme": act.theme,
        "it": act.it,
        "at": act.at,
        "adj": act.adjective,
        "is": _is(act),
        "s": "" if act.plural else "s",
        "base_it": act.vp(it=True),
    }


def _several(acts: Sequence[Act]) -> dict[str, str]:
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


def _is(act: Act) -> str:
    return "are" if act.plural else "is"


def _has(act: Act) -> str:
    return "have" if act.plural else "has"


def _been(act: Act, position: int) -> str:
    return f"{act.theme} {'been ' if position == 0 else ''}{act.participle}"
