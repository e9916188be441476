"""Questions by a fact: tables of true, false and unknown attributes (fruits, drinks, condiments)."""

from __future__ import annotations

from collections.abc import Callable

from ._deal import Deal
from ._errors import RejectedError
from ._lineup import Asker, Lineup, Question, only
from .knowledge import attribute_table


def ask_by_name(*templates: str, names: Callable[[str], str] = str) -> Asker:
    """Return the asker that names the thing: its kind occurs once."""

    def ask(deal: Deal, lineup: Lineup) -> Question:
        answer = only(lineup, [key == lineup.asked for key in lineup.keys], lineup.asked)
        text = deal.choice(templates).format(names(lineup.asked))
        return Question(text, answer, "the kind occurs once", lineup.asked, lineup.keys)

    return ask


def ask_by_fact(name: str, say: Callable[[str], str]) -> Asker:
    """Return the asker that states an attribute of table ``name`` which is true of the target, false of the others."""

    def ask(deal: Deal, lineup: Lineup) -> Question:
        facts = attribute_table(name)
        for attribute in deal.shuffled([fact for fact in facts.attributes if facts.value(lineup.asked, fact)]):
            values = [facts.value(key, attribute) for key in lineup.keys]
            try:
                answer = only(lineup, values, attribute)
            except RejectedError:
                continue
            seen = tuple(f"{key}: {'yes' if value else 'no'}" for key, value in zip(lineup.keys, values, strict=True))
            phrase = facts.attributes[attribute].phrase
            return Question(say(phrase), answer, f"{name}.json", attribute, seen)
        raise RejectedError(f"no fact of {name} tells {lineup.asked} from {', '.join(lineup.keys)}")

    return ask
