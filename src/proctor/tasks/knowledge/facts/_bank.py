"""The bank of instructions: one file per task in ``instructions/``, and `ask`, which draws one that is proved.

An entry has an id, the kind of question it puts (``ask``), fixed parameters, and texts that say the same (paraphrases;
the number of a text is its paraphrase id). Gaps in braces are filled with the question's words (`words`) or with what
the caller knows (``board``, ``box``, ``pocket``). Plain entries leave parameters open; dialogues mostly fix them all.

    asked = ask(rng, "P39", items, target="avocado_1")
    asked.text, asked.id, asked.question, asked.proof

`say` finds words for a question that the caller has chosen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from proctor.core import ProctorError

from ._ask import can_ask, possible
from ._model import Answer, Item, NotUniqueError, Proof, Question, Value
from ._prove import prove
from ._words import words

_GAP = re.compile(r"{(\w+)}")


@dataclass(frozen=True, slots=True)
class FactEntry:
    """One need or plain wording: the question it puts and the texts that put it."""

    id: str
    ask: str
    params: Mapping[str, Value]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bank:
    """The instructions of a task; ``form`` is plain or dialogue."""

    task: str
    slug: str
    form: str
    entries: tuple[FactEntry, ...]


@dataclass(frozen=True, slots=True)
class ProvedInstruction:
    """An instruction whose question has exactly one answer; ``id`` names entry and paraphrase (``P39-toast/1``)."""

    id: str
    text: str
    question: Question
    proof: Proof


@cache
def bank(task: str) -> Bank:
    """Return the instructions of a task (``P39``)."""
    path = files(__package__).joinpath("instructions", f"{task}.json")
    if not path.is_file():
        raise ProctorError(f"no instructions are written for task {task!r}; tasks are P01 to P60 and C01 to C40")
    data = json.loads(path.read_text(encoding="utf-8"))
    entries = tuple(
        FactEntry(row["id"], row["ask"], _values(row["params"]), tuple(row["texts"])) for row in data["entries"]
    )
    return Bank(data["task"], data["slug"], data["form"], entries)


def options(
    task: str, items: Sequence[Item], target: str | Answer | None = None, **params: Value
) -> list[tuple[FactEntry, Proof]]:
    """Return every entry of a task, with its proof, whose one answer is ``target`` (a name, an answer, None: any).

    ``params`` fix parameters that an entry leaves open (``hand`` of a mahjong wait, ``dish``).
    """
    wanted = ((target,),) if isinstance(target, str) else target
    found = []
    for entry in bank(task).entries:
        for question in _asked(entry, items, params):
            try:
                proof = prove(question, items)
            except NotUniqueError:
                continue
            if wanted in (None, proof.winner):
                found.append((entry, proof))
    return found


def ask(
    rng: np.random.Generator,
    task: str,
    items: Sequence[Item],
    target: str | Answer | None = None,
    *,
    fills: Mapping[str, str] | None = None,
    **params: Value,
) -> ProvedInstruction:
    """Draw an instruction of ``task`` whose one answer among ``items`` is ``target``; raises where there is none.

    ``fills`` are words for gaps that are not of the question (``board="cutting board"``). Entries are drawn before
    texts, so that a need with many paraphrases is asked no more often than another.
    """
    found = options(task, items, target, **params)
    if not found:
        raise NotUniqueError(f"no instruction of {task} has {target or 'anything'} as its one answer in this scene")
    ids = list(dict.fromkeys(entry.id for entry, _ in found))
    chosen = ids[int(rng.integers(len(ids)))]
    same = [(entry, proof) for entry, proof in found if entry.id == chosen]
    entry, proof = same[int(rng.integers(len(same)))]
    number = int(rng.integers(len(entry.texts)))
    filled = fill(entry.texts[number], {**words(proof.question, items), **(fills or {})})
    return ProvedInstruction(f"{entry.id}/{number}", filled, proof.question, proof)


def say(
    rng: np.random.Generator,
    task: str,
    question: Question,
    items: Sequence[Item],
    fills: Mapping[str, str] | None = None,
) -> str:
    """Draw words for a question that is already chosen: an instruction of ``task`` that puts just this question."""
    fitting = [
        entry
        for entry in bank(task).entries
        if entry.ask == question.kind and all(question.get(key) == value for key, value in entry.params.items())
    ]
    if not fitting:
        raise NotUniqueError(f"no instruction of {task} puts the question {question.as_dict()}")
    entry = fitting[int(rng.integers(len(fitting)))]
    text = entry.texts[int(rng.integers(len(entry.texts)))]
    return fill(text, {**words(question, items), **(fills or {})})


def fill(text: str, values: Mapping[str, str]) -> str:
    """Fill the gaps of a text; a gap without a value is an error that names it. A sentence starts with a capital."""
    missing = [gap for gap in _GAP.findall(text) if gap not in values]
    if missing:
        raise ProctorError(f"the instruction {text!r} needs a value for {', '.join(missing)}")
    filled = _GAP.sub(lambda match: values[match[1]], text)
    return filled[0].upper() + filled[1:]


def _asked(entry: FactEntry, items: Sequence[Item], params: Mapping[str, Value]) -> Iterator[Question]:
    """Yield the questions an entry can put in a scene."""
    fixed = {**params, **entry.params}
    if not can_ask(entry.ask):
        yield Question(entry.ask, fixed)
        return
    matched = False
    for question in possible(entry.ask, items):
        if all(question.get(key) == value for key, value in fixed.items()):
            matched = True
            yield question
    # A conjunction of facts, or a thing that is not named by its usual looks, is in no list of single questions.
    if not matched and entry.params and entry.ask in ("attribute", "look"):
        yield Question(entry.ask, entry.params)


def _values(params: Mapping[str, Any]) -> dict[str, Value]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in params.items()}
