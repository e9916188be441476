"""The work behind a certificate, cut into pieces that worker processes can take: one task, one question."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence

import numpy as np

from proctor.core import ProctorError
from proctor.results import Episode
from proctor.sim import SimEnv, known_categories, nouns_of
from proctor.tasks.cbddl import CbddlError, KnownCategory, Task, atoms_of, check_file
from proctor.tasks.suites import TaskRef, read_suite, suite_folder, task_of
from proctor.tasks.words import NounPhrase, instruction_defects, noun_phrases, referents

from . import _played
from ._certificate import Finding, Played
from ._drawn import drawn_lint, unique
from ._job import CertificateJob, JobResult, Question, shared_env, specs_of
from .referents import goal_trouble, in_words, meanings

# The certificate that fails when a question cannot even be asked, where it has another name than the question.
_CERTIFICATE_OF = {"text": "lint", "reckless": "bites"}
WATCH_STEPS = 20
REST_SPEED_M_S = 0.02
REST_TILT_RAD = 0.05
REST_SHIFT_M = 0.015
REST_DEPTH_M = 0.002


def plan_jobs(tasks: Sequence[TaskRef], layouts: int, seed: int, *, baselines: bool = False) -> list[CertificateJob]:
    """Return the jobs of all tasks, the long ones of a task first. Where a level must bite, its ``suite.toml`` says.

    With ``baselines`` the reckless expert plays every task; where nothing is asked of it, it gives only a figure.
    """
    jobs = []
    for task in tasks:
        questions: list[Question] = ["random", "noop", "expert", "start", "text"]
        bites = task.level in read_suite(task.suite, suite_folder(task.path)).reckless_levels
        if task.family:
            questions.append("unique")
        if bites or baselines:
            questions.insert(0, "reckless")
        jobs += [
            CertificateJob(task, question, layouts, seed, bites or question != "reckless") for question in questions
        ]
    return jobs


def run_job(job: CertificateJob) -> JobResult:
    """Answer a job. An error of ours or of the task is a failed finding, not a crash of the whole check."""
    began = time.process_time()
    rows: list[Episode] = []
    try:
        if job.question in LOOKED:
            findings = LOOKED[job.question](job)
        else:
            findings, rows = PLAYED[job.question](job)
    except (ProctorError, CbddlError) as error:
        findings = [Finding(_CERTIFICATE_OF.get(job.question, job.question), False, str(error))] if job.judged else []
    played = tuple(Played.of(row) for row in rows)
    return JobResult(job.task, job.question, tuple(findings), played, time.process_time() - began)


def _text(job: CertificateJob) -> list[Finding]:
    if job.task.family:
        return [drawn_lint(job, _known())]
    task, defects = check_file(job.task.path, _known(), instruction_defects)
    bad = [defect for defect in defects if defect.severity != "info"]
    lint = Finding("lint", not bad, bad[0].message if bad else "clean")
    if task is None or _related(_phrases(job, task)):
        # Which tomato is next to the cereal, the layouts show.
        return [lint]
    return [lint, _one_referent(job, task)]


def _phrases(job: CertificateJob, task: Task) -> list[NounPhrase]:
    return noun_phrases(job.task.instruction or task.language, nouns_of(task))


def _related(phrases: list[NounPhrase]) -> bool:
    """Whether the words alone cannot say which things are meant."""
    return any(phrase.relation is not None for phrase in phrases)


@functools.cache
def _known() -> dict[str, KnownCategory]:
    return {name: KnownCategory(*facts) for name, facts in known_categories().items()}


def _one_referent(job: CertificateJob, task: Task) -> Finding:
    instruction = job.task.instruction or task.language
    nouns = nouns_of(task)
    named = referents(instruction, nouns)
    singular = {name.lower() for names in nouns.values() for name in names}
    for phrase, entities in named.items():
        if len(entities) != 1 and phrase in singular:
            return Finding("referent", False, f"{phrase!r} may be {' or '.join(entities)}")
    wanted = {str(atom.args[0]) for atom in atoms_of(task.goal) if atom.predicate in ("On", "In", "Stack")}
    found = {entity for entities in named.values() for entity in entities}
    missing = sorted(wanted - found)
    if missing:
        return Finding("referent", False, f"the goal moves {missing[0]}, which the instruction does not name")
    return Finding("referent", True, in_words(named))


def _start(job: CertificateJob) -> list[Finding]:
    env = shared_env()
    restless: list[str] = []
    early: list[str] = []
    vague: list[str] = []
    told = ""
    # What a generated task says is proved by its generator (`_unique`).
    phrases = [] if job.task.family else _phrases(job, task_of(job.task.path))
    for spec in specs_of(job, "none"):
        env.reset(spec)
        if _related(phrases):
            found = meanings(env.scene, phrases)
            trouble = found if isinstance(found, str) else goal_trouble(env.scene, found)
            vague += [f"layout {spec.episode}: {trouble}"] if trouble else []
            told = told if isinstance(found, str) else in_words(found)
        if env.monitor.goal_holds():
            early.append(f"layout {spec.episode}: the goal already holds")
        early += [f"layout {spec.episode}: {name} is already true" for name in env.monitor.true_costs()]
        # What balances on its edge is at rest at first; a second shows it.
        for _ in range(WATCH_STEPS):
            env.step(np.zeros(7))
        restless += _unrest(env, spec.episode)
    findings = [_all_good("settles", restless, job.layouts), _all_good("start", early, job.layouts)]
    if _related(phrases):
        findings.append(Finding("referent", not vague, vague[0] if vague else told))
    return findings


def _unrest(env: SimEnv, layout: int) -> list[str]:
    scene = env.scene
    found = []
    for event in env.monitor.events:
        if event.kind == "layout_widened":
            found.append(f"layout {layout}: no free layout without widening its regions by {event.value * 100:.0f} cm")
    for name in scene.movable:
        if name in scene.moving:
            continue
        speed = float(np.abs(scene.data.joint(f"{name}/free").qvel[:3]).max())
        tilt = float(np.arccos(np.clip(scene.rotation(name)[2] @ scene.spawned[name].rotation[2], -1, 1)))
        shift = float(np.linalg.norm(scene.origin(name) - scene.spawned[name].origin))
        rolls = scene.assets[name].rolls
        if speed > REST_SPEED_M_S or shift > REST_SHIFT_M or (tilt > REST_TILT_RAD and not rolls):
            found.append(
                f"layout {layout}: {name} moves ({speed:.3f} m/s, {shift * 1e3:.0f} mm, {np.degrees(tilt):.0f} deg)"
            )
    if scene.spills.total:
        found.append(f"layout {layout}: {scene.spills.total} of the particles left their vessels by themselves")
    deepest = float(scene.data.contact.dist.min()) if scene.data.ncon else 0.0
    if deepest < -REST_DEPTH_M:
        found.append(f"layout {layout}: something sinks {-deepest * 1e3:.1f} mm into something else")
    return found


def _all_good(certificate: str, problems: list[str], layouts: int) -> Finding:
    return Finding(certificate, not problems, problems[0] if problems else f"{layouts}/{layouts}")


LOOKED: dict[Question, Callable[[CertificateJob], list[Finding]]] = {"text": _text, "start": _start, "unique": unique}
PLAYED: dict[Question, Callable[[CertificateJob], tuple[list[Finding], list[Episode]]]] = {
    "noop": _played.noop,
    "random": _played.random,
    "expert": _played.expert,
    "reckless": _played.reckless,
}
