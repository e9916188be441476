"""The work behind a certificate, cut into pieces that worker processes can take: one task, one question."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from proctor.cbddl import CbddlError, KnownCategory, Task, atoms_of, check_file, read_task
from proctor.core import EpisodeSpec, Policy, ProctorError
from proctor.plan import episode_seed
from proctor.policies import load_policy
from proctor.record import Episode
from proctor.rollout import run_episode
from proctor.suites import TaskRef
from proctor.suites._suite import read_suite, suite_folder
from proctor.world import SimEnv, known_categories, nouns_of

from ._certificate import EXPERT_SHARE, RECKLESS_SHARE, Finding
from ._referent import referents

Question: TypeAlias = Literal["text", "start", "noop", "random", "expert", "reckless"]
# The certificate that fails when a question cannot even be asked, where it has another name than the question.
_CERTIFICATE_OF = {"text": "lint", "reckless": "bites"}
WATCH_STEPS = 20
REST_SPEED_M_S = 0.02
REST_TILT_RAD = 0.05
REST_SHIFT_M = 0.015
REST_DEPTH_M = 0.002


@dataclass(frozen=True, slots=True)
class Job:
    """One question about one task."""

    task: TaskRef
    question: Question
    layouts: int
    seed: int


@dataclass(frozen=True, slots=True)
class JobResult:
    """The findings that answer a job."""

    task: TaskRef
    question: Question
    findings: tuple[Finding, ...]


def plan_jobs(tasks: list[TaskRef], layouts: int, seed: int) -> list[Job]:
    """Return the jobs of all tasks, the long ones of a task first. Where a level must bite, its ``suite.toml`` says."""
    jobs = []
    for task in tasks:
        questions: list[Question] = ["random", "noop", "expert", "start", "text"]
        if task.level in read_suite(task.suite, suite_folder(task.path)).reckless_levels:
            questions.insert(0, "reckless")
        jobs += [Job(task, question, layouts, seed) for question in questions]
    return jobs


def run_job(job: Job) -> JobResult:
    """Answer a job. An error of ours or of the task is a failed finding, not a crash of the whole check."""
    answers = {
        "text": _text,
        "start": _start,
        "noop": _noop,
        "random": _random,
        "expert": _expert,
        "reckless": _reckless,
    }
    try:
        findings = answers[job.question](job)
    except (ProctorError, CbddlError) as error:
        findings = [Finding(_CERTIFICATE_OF.get(job.question, job.question), False, str(error))]
    return JobResult(job.task, job.question, tuple(findings))


@functools.cache
def _env() -> SimEnv:
    """One environment per process."""
    return SimEnv()


def _specs(job: Job, policy: str) -> list[EpisodeSpec]:
    task = read_task(job.task.path)
    return [
        EpisodeSpec(
            suite=job.task.suite,
            task=job.task.id,
            level=job.task.level,
            task_hash=task.text_hash,
            episode=i,
            seed=episode_seed(job.seed, job.task.id, i),
            instruction=job.task.instruction or task.language,
            policy=policy,
            max_steps=job.task.max_steps,
            task_path=str(job.task.path),
        )
        for i in range(job.layouts)
    ]


def _text(job: Job) -> list[Finding]:
    task, defects = check_file(job.task.path, known=_known())
    bad = [defect for defect in defects if defect.severity != "info"]
    lint = Finding("lint", not bad, bad[0].message if bad else "clean")
    if task is None:
        return [lint]
    return [lint, _one_referent(job, task)]


@functools.cache
def _known() -> dict[str, KnownCategory]:
    return {name: KnownCategory(contains, nouns) for name, (contains, nouns) in known_categories().items()}


def _one_referent(job: Job, task: Task) -> Finding:
    instruction = job.task.instruction or task.language
    named = referents(instruction, nouns_of(task))
    for phrase, entities in named.items():
        if len(entities) != 1:
            return Finding("referent", False, f"{phrase!r} may be {' or '.join(entities)}")
    wanted = {str(atom.args[0]) for atom in atoms_of(task.goal) if atom.predicate in ("On", "In", "Stack")}
    found = {entity for entities in named.values() for entity in entities}
    missing = sorted(wanted - found)
    if missing:
        return Finding("referent", False, f"the goal moves {missing[0]}, which the instruction does not name")
    return Finding("referent", True, ", ".join(f"{p}={e[0]}" for p, e in named.items()))


def _start(job: Job) -> list[Finding]:
    env = _env()
    restless: list[str] = []
    early: list[str] = []
    for spec in _specs(job, "none"):
        env.reset(spec)
        if env.monitor.goal_holds():
            early.append(f"layout {spec.episode}: the goal already holds")
        early += [f"layout {spec.episode}: {name} is already true" for name in env.monitor.true_costs()]
        # What balances on its edge is at rest at first; a second shows it.
        for _ in range(WATCH_STEPS):
            env.step(np.zeros(7))
        restless += _unrest(env, spec.episode)
    return [_all_good("settles", restless, job.layouts), _all_good("start", early, job.layouts)]


def _unrest(env: SimEnv, layout: int) -> list[str]:
    scene = env.scene
    found = []
    for name in scene.movable:
        speed = float(np.abs(scene.data.joint(f"{name}/free").qvel[:3]).max())
        tilt = float(np.arccos(np.clip(scene.rotation(name)[2] @ scene.spawned[name].rotation[2], -1, 1)))
        shift = float(np.linalg.norm(scene.origin(name) - scene.spawned[name].origin))
        rolls = scene.assets[name].rolls
        if speed > REST_SPEED_M_S or shift > REST_SHIFT_M or (tilt > REST_TILT_RAD and not rolls):
            found.append(
                f"layout {layout}: {name} moves ({speed:.3f} m/s, {shift * 1e3:.0f} mm, {np.degrees(tilt):.0f} deg)"
            )
    deepest = float(scene.data.contact.dist.min()) if scene.data.ncon else 0.0
    if deepest < -REST_DEPTH_M:
        found.append(f"layout {layout}: something sinks {-deepest * 1e3:.1f} mm into something else")
    return found


def _all_good(certificate: str, problems: list[str], layouts: int) -> Finding:
    return Finding(certificate, not problems, problems[0] if problems else f"{layouts}/{layouts}")


def _episodes(job: Job, name: str) -> tuple[list[Episode], str]:
    """Return the episodes of a policy on the job's layouts, and the first reason why one was not solved, if known."""
    env = _env()
    policy = _policy(name, env)
    rows, why = [], ""
    for spec in _specs(job, name):
        row = run_episode(env, policy, spec)
        rows.append(row)
        trouble = row.error if row.status != "completed" else "" if row.success else getattr(policy, "failure", "")
        if trouble and not why:
            why = f"layout {spec.episode}: {trouble}"
    return rows, why


def _policy(name: str, env: SimEnv) -> Policy:
    policy = load_policy(name, {})
    bind = getattr(policy, "bind", None)
    if policy.spec().privileged and bind is not None:
        bind(env)
    return policy


def _failed(rows: list[Episode]) -> bool:
    return any(row.status != "completed" for row in rows)


def _noop(job: Job) -> list[Finding]:
    rows, why = _episodes(job, "noop")
    wins, paid = sum(bool(row.success) for row in rows), sum(row.cost_total > 0 for row in rows)
    detail = why or f"success {wins}/{len(rows)}, paid {paid}/{len(rows)}"
    return [Finding("noop", not (wins or paid or _failed(rows)), detail)]


def _random(job: Job) -> list[Finding]:
    rows, why = _episodes(job, "random")
    wins = sum(bool(row.success) for row in rows)
    return [Finding("random", not (wins or _failed(rows)), why or f"success {wins}/{len(rows)}")]


def _expert(job: Job) -> list[Finding]:
    rows, why = _episodes(job, "expert")
    wins, paid = sum(bool(row.success) for row in rows), sum(row.cost_total > 0 for row in rows)
    detail = f"{wins}/{len(rows)}" + (f"; {why}" if why else "")
    findings = [Finding("expert", wins >= EXPERT_SHARE * len(rows), detail)]
    if rows[0].costs or job.task.safety:
        findings.append(Finding("safe", paid == 0, f"paid {paid}/{len(rows)}"))
    fresh = SimEnv()
    again = run_episode(fresh, _policy("expert", fresh), _specs(job, "expert")[0])
    fresh.close()
    same = again.status == rows[0].status == "completed" and again.trajectory_hash == rows[0].trajectory_hash
    findings.append(Finding("replay", same, again.trajectory_hash[:8] if same else again.error or "the hashes differ"))
    return findings


def _reckless(job: Job) -> list[Finding]:
    rows, _ = _episodes(job, "reckless")
    paid = sum(row.cost_total > 0 for row in rows)
    return [Finding("bites", paid >= RECKLESS_SHARE * len(rows), f"reckless paid {paid}/{len(rows)}")]
