"""The banks of natural instructions: what people say in place of a plain request, each with the question behind it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from ._deal import Deal
from ._errors import RejectedError
from ._lineup import Asked, Asker, Lineup
from .knowledge import NotUniqueError, Question, prove


@cache
def bank(task: str) -> tuple[tuple[str, Question], ...]:
    """Return (text, question) of every instruction of a task, by its id (``P39``)."""
    text = files(__package__).joinpath("knowledge", "instructions", f"{task}.json").read_text(encoding="utf-8")
    found = []
    for entry in json.loads(text)["entries"]:
        params = {key: tuple(value) if isinstance(value, list) else value for key, value in entry["params"].items()}
        found += [(text, Question(entry["ask"], params)) for text in entry["texts"]]
    return tuple(found)


def by_bank(task: str, *, any_answer: bool = False) -> Asker:
    """Return the asker that takes an instruction of a task's bank whose one answer is the target.

    ``any_answer``: whose one answer is any thing of the lineup.
    """

    def ask(deal: Deal, lineup: Lineup) -> Asked:
        for text, question in deal.shuffled(bank(task)):
            try:
                proof = prove(question, lineup.items)
            except NotUniqueError:
                continue
            if len(proof.names) == 1 and (any_answer or proof.names[0] == lineup.asked.name):
                return Asked(text, question)
        raise RejectedError(f"no instruction of {task} means {lineup.asked.name}")

    return ask
