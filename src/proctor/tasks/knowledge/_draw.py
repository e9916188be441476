"""``draw``: from a task, a seed and an episode's number to the text of that episode."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from proctor.core import named_rng
from proctor.tasks.cbddl import Task, parse

from ._errors import KnowledgeError, RejectedError
from ._file import UNSEEN_LOOKS, KnowledgeFile, read_knowledge_file
from ._parts import EpisodeParts
from ._sampler import Sampler
from ._tasks import KnowledgeTask, knowledge_task, limit_steps
from ._text import task_text
from .facts import Proof, Split

VERSION = 1
MAX_ATTEMPTS = 400
ROOMS = 40
_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class KnowledgeEpisode:
    """One episode of a knowledge task: its text, the same parsed, and what is known about it.

    ``target`` is what the question asks for, in the words that balance is counted by; ``family`` is equal for episodes
    of different tracks that share a scene. ``facts`` are what a manifest counts (which slot the answer is in); ``also``
    proves what else the instruction points at.
    """

    task: str
    text: str
    parsed: Task
    instruction: str
    task_hash: str
    max_steps: int
    proof: Proof
    target: str
    family: str
    facts: Mapping[str, Any]
    also: tuple[Proof, ...] = ()


Recipe: TypeAlias = Callable[[Sampler], EpisodeParts]
_recipes: dict[str, Recipe] = {}


def recipe(*slugs: str) -> Callable[[Recipe], Recipe]:
    """Register the function that draws the tasks called ``slugs``."""

    def register(function: Recipe) -> Recipe:
        for slug in slugs:
            if slug in _recipes:
                raise ValueError(f"knowledge task {slug!r} has two recipes")
            _recipes[slug] = function
        return function

    return register


@cache
def _load() -> None:
    for module in sorted(path.stem for path in (_HERE / "domains").glob("[a-z]*.py")):
        import_module(f"{__package__}.domains.{module}")


def drawable() -> tuple[str, ...]:
    """Return the slugs of the tasks that have a recipe, sorted."""
    _load()
    return tuple(sorted(_recipes))


def draw(
    source: str | Path, seed: int, episode: int, *, track: int | None = None, split: Split | None = None
) -> KnowledgeEpisode:
    """Return episode number ``episode`` of a task: a ``.bench`` file, or a slug with ``track`` and ``split``.

    Deterministic: equal arguments give equal texts on any host. Raises `KnowledgeError` where no scene passes.
    """
    path = Path(source)
    if path.suffix == ".bench":
        request = read_knowledge_file(path)
    else:
        request = KnowledgeFile(knowledge_task(str(source)).slug, track, split or "all")
    return _drawn(request, seed, episode)


@lru_cache(maxsize=512)
def _drawn(request: KnowledgeFile, seed: int, episode: int) -> KnowledgeEpisode:
    _load()
    task = knowledge_task(request.task)
    make = _recipes.get(task.slug)
    if make is None:
        raise KnowledgeError(f"knowledge task {task.slug} cannot be drawn yet; `proctor knowledge ls` shows which can")
    why = ""
    for attempt in range(MAX_ATTEMPTS):
        sampler = Sampler(request, seed, episode, request.split, attempt)
        try:
            return _finished(make(sampler), task, request, seed, episode)
        except RejectedError as rejected:
            why = str(rejected)
    raise KnowledgeError(f"{task.slug} episode {episode}: no scene in {MAX_ATTEMPTS} draws has one answer ({why})")


def _finished(
    parts: EpisodeParts, task: KnowledgeTask, request: KnowledgeFile, seed: int, episode: int
) -> KnowledgeEpisode:
    subgoals = parts.subgoals or task.subgoals
    if request.track == UNSEEN_LOOKS:
        parts.scene.room = int(named_rng(seed, "bench room").integers(ROOMS))
    header = (
        f"proctor bench {VERSION}: {task.id} {task.slug}, {request.words}, seed {seed}, episode {episode}",
        *(f"one answer: {json.dumps(proof.as_dict(), sort_keys=True)}" for proof in (parts.proof, *parts.also)),
    )
    text = task_text(
        parts.scene,
        header,
        parts.instruction,
        parts.goal or task.goal,
        subgoals,
        parts.intent or task.intent,
        parts.faults,
        parts.bindings,
    )
    parsed = parse(text, f"{task.slug}-{episode}.cbddl")
    return KnowledgeEpisode(
        task=task.slug,
        text=text,
        parsed=parsed,
        instruction=parsed.language,
        task_hash=parsed.text_hash,
        max_steps=limit_steps(sum(len(node.calls) for node in subgoals)),
        proof=parts.proof,
        target=parts.target,
        family=f"{'tracks/' if request.track else ''}{request.family}/{seed}/{episode}",
        facts=parts.facts,
        also=tuple(parts.also),
    )
