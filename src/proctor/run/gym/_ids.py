"""Gymnasium ids of our tasks: ``proctor/`` + suite, level and name + ``-v`` + version of the suite.

Gymnasium allows one slash in an id: a namespace and a name. Ours have several, as they have everywhere else in Proctor,
so its pattern is widened: an id that begins with ``proctor/`` may have more. No other id is read differently.
"""

from __future__ import annotations

import re

from gymnasium.envs import registration

from proctor.tasks.suites import TaskRef, builtin_suites, tasks_of

NAMESPACE = "proctor"
# Takes any task by the keyword ``task``: a selector as for ``proctor run``, so also a file of your own.
ANY_TASK = f"{NAMESPACE}/Task-v0"
ENTRY_POINT = "proctor.run.gym:ProctorEnv"


def env_id(ref: TaskRef) -> str:
    """Return the id of a task: ``suite/level/name@v1`` is ``proctor/suite/level/name-v1``."""
    return f"{NAMESPACE}/{ref.id.partition('@')[0]}-v{ref.version}"


def register_tasks() -> None:
    """Register every built-in task, unless that has been done. No task file is read and no simulator imported."""
    _widen_pattern()
    if ANY_TASK in registration.registry:
        return
    _register(ANY_TASK, {})
    for suite in builtin_suites():
        for ref in tasks_of(suite):
            _register(env_id(ref), {"task": ref.id})


def _register(name: str, kwargs: dict[str, str]) -> None:
    # The environment keeps order and step limit itself (it has to close its account at the limit), and attributes like
    # ``task_description`` stay visible only without wrappers around it.
    registration.register(
        id=name, entry_point=ENTRY_POINT, kwargs=kwargs, order_enforce=False, disable_env_checker=True
    )


def _widen_pattern() -> None:
    before = registration.ENV_ID_RE
    if before.fullmatch(f"{NAMESPACE}/suite/L0/name-v1"):
        return
    namespace = r"(?P<namespace>[\w:-]+)"
    assert namespace in before.pattern, "Gymnasium writes its ids in another way than in 1.1 to 1.4"
    ours = rf"(?P<namespace>{NAMESPACE}(?:\/[\w-]+)+|[\w:-]+)"
    registration.ENV_ID_RE = re.compile(before.pattern.replace(namespace, ours))
