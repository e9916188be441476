"""Carry plans out for real: the expert's scripted skills do each call in simulation, with the true poses.

A call that cannot be done is skipped and counted, as in the symbolic executor. The reference plan of the same episode
is played as well: where the skills fail at that, a model's failure says little. Both are kept in the question's row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from proctor.core import EpisodeSpec
from proctor.policies.scripted.skills import Hands, SkillError, perform
from proctor.results import PlanFields, PlayedFields, RunFolder, read_episodes
from proctor.run.plan import Plan
from proctor.sim import SceneError, SimEnv

from .._call import UNREAD, SkillCall, read_args, unknown_args
from .._judge import PLANNED
from .._problem import Problem, problem_of
from .._skills import SKILLS
from ._question import slug_of
from ._row import row_ids

REST_STEPS = 60
"""How long to wait for things to come to rest, and the goal to hold, after the last call: 3 s."""
MOST_SECONDS = 30.0


class Notes(Protocol):
    """Hears what happens."""

    def note(self, text: str) -> None: ...


def play_plan(env: SimEnv, spec: EpisodeSpec, problem: Problem, calls: Sequence[SkillCall]) -> PlayedFields:
    """Play ``calls`` from the start of an episode until its goal holds or time is up."""
    env.reset(spec)
    hands = Hands(env)
    why: list[str] = []
    succeeded = False
    for call in calls:
        if succeeded or env.monitor.step >= spec.max_steps:
            why.append("" if succeeded else "no time left")
            continue
        try:
            succeeded = _through(env, perform(hands, call.skill, *arguments_of(problem, call)), spec.max_steps)
            why.append("")
        except (SkillError, SceneError) as error:
            why.append(str(error).partition("\n")[0])
        except Exception as error:
            # The skills are written for what tasks ask; a model may ask for anything, and must not end the run.
            why.append(f"{call.skill} is not made for this: {type(error).__name__}: {str(error).partition(chr(10))[0]}")
    resting = 0
    while not succeeded and resting < REST_STEPS and env.monitor.step < spec.max_steps:
        succeeded = env.step(hands.idle()).success
        resting += 1
    outcome = env.finish()
    return PlayedFields(success=outcome.success, progress=outcome.progress, steps=outcome.steps, why_not=tuple(why))


def _through(env: SimEnv, actions: Iterator[Any], most: int) -> bool:
    """Do the actions of a skill; return whether the goal came to hold."""
    for action in actions:
        if env.step(action).success:
            return True
        if env.monitor.step >= most:
            return False
    return False


def arguments_of(problem: Problem, call: SkillCall) -> list[str | float]:
    """Return a call's arguments by the names that the world knows; raises `SkillError` where one cannot be read."""
    if call.skill not in SKILLS:
        raise SkillError(f"there is no skill {call.skill!r}")
    if unknown := unknown_args(call):
        raise SkillError(f"{call.skill} takes no {unknown[0]!r}")
    arguments: list[str | float] = []
    given = dict(read_args(call, problem.names, exact=True))
    for role in SKILLS[call.skill].roles:
        if role not in given:
            raise SkillError(f"{call.skill} needs {role!r}")
        if given[role].startswith(UNREAD):
            raise SkillError(f"{given[role][1:]!r} names nothing in the scene")
        arguments.append(_seconds(given[role]) if role == "seconds" else _physical(problem, call.skill, given[role]))
    return arguments


def _physical(problem: Problem, skill: str, name: str) -> str:
    """Return the world's name; of several holes the very one that was told is meant."""
    return problem.physical(skill, name if skill == "insert" else problem.names.meant(name, skill))


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise SkillError(f"{text!r} is no number of seconds") from None
    if not 0.0 <= seconds <= MOST_SECONDS:
        raise SkillError(f"waits are 0 to {MOST_SECONDS:g} seconds")
    return seconds


def play_plans(plan: Plan, folder: RunFolder, progress: Notes) -> int:
    """Play every plan that has not been played yet, with its reference; return how many were."""
    rows = {row.episode_id: row for row in read_episodes(folder.path)}
    left = []
    for spec in plan:
        row = rows.get(row_ids(spec)[0])
        if row is not None and row.plan is not None and row.plan.verdict in PLANNED and row.plan.played is None:
            left.append((spec, row, row.plan))
    if not left:
        return 0
    progress.note(f"playing {len(left)} plans and their references")
    env = SimEnv()
    try:
        for spec, row, fields in left:
            played, reference = _both(env, spec, fields)
            folder.append(replace(row, plan=replace(fields, played=played, reference_played=reference)))
    finally:
        env.close()
    return len(left)


def _both(env: SimEnv, spec: EpisodeSpec, fields: PlanFields) -> tuple[PlayedFields, PlayedFields]:
    env.reset(spec)
    marks = {int(number): name for number, name in fields.marks.items()}
    problem = problem_of(env.scene.task, marks, env.scene.assets, slug=slug_of(spec))
    answer = tuple(SkillCall(call.skill, call.arguments) for call in fields.calls)
    reference = play_plan(env, spec, problem, problem.plan)
    same = answer == problem.marked(problem.plan)
    return reference if same else play_plan(env, spec, problem, answer), reference
