"""Words from the bank of instructions: for a question that is chosen, or with a question of the bank's own."""

from __future__ import annotations

from collections.abc import Sequence

from . import facts as knowledge
from ._deal import Deal
from ._errors import RejectedError
from ._lineup import Asked, Asker, Lineup
from .facts import Item, Question


def said(deal: Deal, task: str, question: Question, items: Sequence[Item], **fills: str) -> Asked:
    """Return a question with words of a task's bank; ``fills`` are words that the question does not hold (``box``)."""
    return Asked(knowledge.say(deal.of("words").rng, task, question, items, fills), question)


def by_bank(task: str, *, any_answer: bool = False, **fills: str) -> Asker:
    """Return the asker that takes an instruction of a task's bank whose one answer is the target.

    ``any_answer``: whose one answer is any thing of the lineup. ``fills`` are words for gaps of the text.
    """

    def ask(deal: Deal, lineup: Lineup) -> Asked:
        try:
            asked = knowledge.ask(deal.rng, task, lineup.items, None if any_answer else lineup.asked.name, fills=fills)
        except knowledge.NotUniqueError as error:
            raise RejectedError(str(error)) from None
        return Asked(asked.text, asked.question)

    return ask
