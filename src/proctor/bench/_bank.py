"""Askers that speak from the bank of instructions: what people say in place of a plain request."""

from __future__ import annotations

from . import knowledge
from ._deal import Deal
from ._errors import RejectedError
from ._lineup import Asked, Asker, Lineup


def by_bank(task: str, *, any_answer: bool = False) -> Asker:
    """Return the asker that takes an instruction of a task's bank whose one answer is the target.

    ``any_answer``: whose one answer is any thing of the lineup.
    """

    def ask(deal: Deal, lineup: Lineup) -> Asked:
        try:
            asked = knowledge.ask(deal.rng, task, lineup.items, None if any_answer else lineup.asked.name)
        except knowledge.NotUniqueError as error:
            raise RejectedError(str(error)) from None
        return Asked(asked.text, asked.question)

    return ask
