"""May a second command go on in the folder of a first? Only if one plan contains the other, id for id."""

from __future__ import annotations

from ._plan import Plan

_SHARED = {
    "policy": "--policy",
    "policy_args": "--policy-arg",
    "seed": "--seed",
    "success_rule": "--success",
    "compat": "--compat",
    "language": "--language or --instruction",
    "vision": "--vision",
    "timing": "--timing or --latency",
    "execute": "--execute",
}


def difference(old: Plan, new: Plan) -> str | None:
    """Return the first argument in which two plans contradict each other, as ``what was, what is``; None if neither.

    Plans agree if every episode of one is an episode of the other: more episodes, more levels or a smaller limit are
    fine; another policy, seed, suite or an edited task file is not.
    """
    for name, option in _SHARED.items():
        was, now = getattr(old, name), getattr(new, name)
        if was != now:
            return f"{option} was {was!r} and is now {now!r}"
    earlier = {task.task: task for task in old.tasks}
    for task in new.tasks:
        before = earlier.get(task.task)
        if before is None:
            continue
        if before.task_hash != task.task_hash:
            return f"task {task.task} has changed since (hash was {before.task_hash}, is now {task.task_hash})"
        if before.assets != task.assets:
            return f"the things of task {task.task} have changed since (hash was {before.assets}, is now {task.assets})"
        if before.max_steps != task.max_steps:
            return f"--max-steps was {before.max_steps} and is now {task.max_steps} (task {task.task})"
        if before.instruction != task.instruction:
            return f"instruction was {before.instruction!r} and is now {task.instruction!r}"
        if before.variants != task.variants:
            return f"the texts for task {task.task} have changed since (another file, lexicon or WordNet)"
        if before.wrong != task.wrong:
            return f"suite {task.suite} has other instructions than before"
    if contains(old, new) or contains(new, old):
        return None
    was, now = _summary(old), _summary(new)
    return f"the plan was {was} and is now {now}, and neither contains the other"


def contains(large: Plan, small: Plan) -> bool:
    """Return whether every episode of ``small`` is in ``large`` (both already agree on all shared arguments)."""
    count = {task.task: large.episodes_of(i) for i, task in enumerate(large.tasks)}
    return all(small.episodes_of(i) <= count.get(task.task, 0) for i, task in enumerate(small.tasks))


def _summary(plan: Plan) -> str:
    suites = "+".join(sorted({task.suite for task in plan.tasks}))
    levels = ",".join(sorted({task.level for task in plan.tasks}))
    return f"{suites} {levels} ({len(plan.tasks)} tasks, {len(plan)} episodes)"
