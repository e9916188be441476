"""Made-up rows of policies that were told their tasks in other words, in no words, and in wrong ones."""

from __future__ import annotations

import json
import random
from typing import Any

import made_runs

from episode_rows import changed
from proctor.results import Episode, Replaced
from proctor.tasks.words import ACTION_TYPES, CONTROLS, OBJECT_TYPES

TASKS = {
    "bowl": ("put the {o} on the plate", "bowl"),
    "stove": ("turn on the {o}", "stove"),
    "drawer": ("open the middle drawer of the {o}", "cabinet"),
    "bottle": ("put the {o} on the rack", "wine bottle"),
}
THINGS = {"addition_deletion": "big {}", "same_polarity_contextual": "item", "same_polarity_habitual": "old {}"}
REQUESTS = {
    "addition_deletion": "carefully {}",
    "same_polarity_contextual": "{} at once",
    "same_polarity_habitual": "now {}",
    "coordination": "get ready and {}",
    "subordination": "{} when you are ready",
    "need_statement": "I need you to {}",
    "embedded_imperative": "Could you {}?",
    "permission_directive": "May I ask you to {}?",
    "question_directive": "Will you {}?",
    "hint": "It is time to {}",
}
# How likely a type is to be understood; a task adds its own share, so that rows of one task vary together.
EASE = {"": 0.95, "addition_deletion": 0.9, "same_polarity_contextual": 0.3, "same_polarity_habitual": 0.45}
TASK_EASE = {"bowl": 1.0, "stove": 0.7, "drawer": 0.9, "bottle": 0.5}


def spoken(task: str, sent: str, **changes: Any) -> Episode:
    """Return an episode of ``task`` that was told ``sent``."""
    pattern, thing = TASKS[task]
    own = pattern.format(o=thing)
    row = made_runs.episode(suite="goal", level="L0", task=f"goal/L0/{task}@v1", instruction=own, policy="probe")
    names = {"language": "paraphrase", "instruction_sent": sent, "privileged": False, "events": (), **changes}
    marks = json.dumps([task, sent, {name: str(value) for name, value in names.items()}], sort_keys=True)
    number = random.Random(marks).getrandbits(48)
    names.setdefault("episode_id", f"{number:012x}")
    names.setdefault("pair_id", f"p{number:012x}")
    if not names.get("success", True):
        names["success_time_s"] = None
    return changed(row, **names)


def text_of(task: str, object_type: str, action_type: str) -> str:
    """Return a text of the cell."""
    pattern, thing = TASKS[task]
    named = THINGS[object_type].format(thing) if object_type else thing
    said = pattern.format(o=named)
    return REQUESTS[action_type].format(said) if action_type else said


def paraphrase_rows(repeats: int = 2, seed: int = 3) -> list[Episode]:
    """Return ``repeats`` episodes of one text in each of the 43 cells and each task, and a few that ended in errors."""
    rng = random.Random(seed)
    rows = []
    for obj in ("", *(kind.name for kind in OBJECT_TYPES)):
        for act in ("", *(kind.name for kind in ACTION_TYPES)):
            for task in TASKS if obj or act else ():
                for number in range(repeats):
                    ease = EASE[obj] * TASK_EASE[task] * (0.7 if act in ("hint", "question_directive") else 1.0)
                    names = {"object_type": obj, "action_type": act, "seed": number, "episode": number}
                    rows.append(spoken(task, text_of(task, obj, act), success=rng.random() < ease, **names))
    broken = changed(rows[5], status="policy_error", success=None, error="too late", episode_id="broken")
    return [*rows, broken]


def told_rows(language: str, wins: dict[str, tuple[int, int]], words: int = 0) -> list[Episode]:
    """Return, for each task, ``n`` episodes with ``k`` successes under one value of ``language``."""
    substitutions = tuple(Replaced(what=f"word{i}", text="x") for i in range(words))
    rows = []
    for task, (k, n) in wins.items():
        own = TASKS[task][0].format(o=TASKS[task][1])
        sent = own if language == "W0" else "" if language == "none" else f"{language} {own}"
        rows += [
            spoken(task, sent, language=language, success=i < k, seed=i, episode=i, substitutions=substitutions)
            for i in range(n)
        ]
    return rows


def control_rows(right: int, misled: int, n: int = 10) -> list[Episode]:
    """Return ``n`` episodes of each control and of the right instruction in two tasks."""
    rows = told_rows("W0", {"bowl": (right, n), "stove": (right, n)})
    for kind in CONTROLS:
        rows += told_rows(kind, {"bowl": (misled, n), "stove": (misled, n)})
    return rows
