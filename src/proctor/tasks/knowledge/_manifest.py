"""Manifests: which episodes a run consists of, each by hash, and how evenly answers and slots are spread.

An episode is determined by its file, seed and number; the manifest adds the hash of the text that they give, so that
another host, or another version of the generator, can say whether it would run the very same episodes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ._draw import VERSION, draw
from ._errors import KnowledgeError
from ._file import read_knowledge_file

SCHEMA = "proctor.knowledge.manifest/1"


def entry(path: Path, task: str, seed: int, episode: int) -> dict[str, Any]:
    """Return what a manifest says of one episode of a ``.bench`` file; ``task`` is its id in the catalogue."""
    drawn, request = draw(path, seed, episode), read_knowledge_file(path)
    return {
        "task": task,
        "track": request.track,
        "split": request.split,
        "seed": seed,
        "episode": episode,
        "family": drawn.family,
        "task_hash": drawn.task_hash,
        "instruction": drawn.instruction,
        "target": drawn.target,
        "facts": dict(drawn.facts),
        "proofs": [proof.as_dict() for proof in (drawn.proof, *drawn.also)],
    }


def manifest(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the manifest of some entries, with the balance of every task."""
    tasks = dict.fromkeys(one["task"] for one in entries)
    balances = {task: balance(one for one in entries if one["task"] == task) for task in tasks}
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "balance": balances,
        "episodes": list(entries),
    }


def balance(entries: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how often each target and each slot (per number of slots) was the answer, with a chi-square test."""
    rows = list(entries)
    found = {"target": spread(row["target"] for row in rows)}
    for slots in sorted({row["facts"]["slots"] for row in rows if "slots" in row["facts"]}):
        places = [row["facts"]["slot"] for row in rows if row["facts"].get("slots") == slots]
        found[f"slot of {slots}"] = spread(places, range(slots))
    return found


def spread(values: Iterable[Any], all_of: Iterable[Any] = ()) -> dict[str, Any]:
    """Return counts of ``values`` and Pearson's chi-square against equal shares, with its p; ``all_of`` count as 0."""
    from scipy.special import gammaincc

    counts: Counter[Any] = Counter(dict.fromkeys(all_of, 0))
    counts.update(values)
    share = counts.total() / max(1, len(counts))
    chi2 = sum((count - share) ** 2 / share for count in counts.values()) if share else 0.0
    freedom = len(counts) - 1
    p = float(gammaincc(freedom / 2, chi2 / 2)) if freedom > 0 else 1.0
    return {"counts": {str(k): v for k, v in sorted(counts.items())}, "chi2": round(chi2, 4), "p": round(p, 4)}


def verify(listed: Mapping[str, Any], files: Mapping[str, Path]) -> list[str]:
    """Draw every episode of a manifest again and return what differs; ``files`` are by task id.

    Everything that the manifest says of an episode is compared, not only the hash of its text, and so is the balance:
    an answer, an instruction or a line that somebody changed or took out is found as well.
    """
    if listed.get("schema") != SCHEMA:
        raise KnowledgeError(
            f"this is no manifest of knowledge tasks (schema {listed.get('schema')!r}, not {SCHEMA!r})"
        )
    found = []
    for number, one in enumerate(listed["episodes"]):
        task, seed, episode = _named(one, number)
        where = f"{task} seed {seed} episode {episode}"
        if task not in files:
            found.append(f"{where}: there is no such task here")
            continue
        here = json.loads(json.dumps(entry(files[task], task, seed, episode)))
        if here["task_hash"] != one.get("task_hash"):
            found.append(f"{where}: another text is drawn here")
        elif other := sorted(key for key in here.keys() | one.keys() if here.get(key) != one.get(key)):
            found.append(f"{where}: the same text, but the manifest says otherwise about {', '.join(other)}")
    if not found and manifest(listed["episodes"])["balance"] != listed.get("balance"):
        found.append("balance: not that of these episodes; were some added or taken out?")
    return found


def _named(one: Any, number: int) -> tuple[str, int, int]:
    """Return the task, the seed and the episode that a line of a manifest is about."""
    match one:
        case {"task": str(task), "seed": int(seed), "episode": int(episode)} if episode >= 0:
            return task, seed, episode
    raise KnowledgeError(f"entry {number} of the manifest does not name a task, a seed and an episode")
