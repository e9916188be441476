"""Why the episodes of a run failed: by paths and by what was done to each object (docs/explanation/language.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from proctor.analysis.failures import ObjectClass, PathClasses, classify_objects, classify_paths, mean_success
from proctor.results import Episode, read_states


def path_classes(
    run: Path, rows: Sequence[Episode], mode: Literal["corrected", "paper"] = "corrected"
) -> dict[str, tuple[list[Episode], PathClasses]]:
    """Return, for each task, the episodes of ``run`` whose states were kept and their classes."""
    kept: dict[str, list[tuple[Episode, Any]]] = defaultdict(list)
    for row in rows:
        states = read_states(run / row.files.steps) if row.files.steps and (run / row.files.steps).exists() else None
        if states is not None and len(states):
            kept[row.spec.task].append((row, states[:, :3]))
    paths = {task: [path for _, path in pairs] for task, pairs in kept.items()}
    won = {task: [bool(row.outcome.success) for row, _ in pairs] for task, pairs in kept.items()}
    means = {task: mean_success(paths[task], won[task]) for task in kept}
    scenes = {task: frozenset(pairs[0][0].outcome.objects) for task, pairs in kept.items()}
    found = {}
    for task, pairs in kept.items():
        # Another task with the same things is what the policy may have taken this one for.
        shared = (means[other] for other in kept if other != task and scenes[other] and scenes[other] == scenes[task])
        rivals = [mean for mean in shared if mean is not None]
        found[task] = ([row for row, _ in pairs], classify_paths(paths[task], won[task], mode=mode, rivals=rivals))
    return found


def object_class(row: Episode) -> ObjectClass:
    """Return what became of one completed episode, by the things that its row tells of."""
    return classify_objects(bool(row.outcome.success), row.outcome.objects)
