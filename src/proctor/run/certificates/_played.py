"""The questions that are answered by playing: what a policy gets on every layout of a task."""

from __future__ import annotations

from proctor.core import Policy
from proctor.policies import load_policy
from proctor.results import Episode, costs_of
from proctor.run.engine import run_episode
from proctor.sim import SimEnv
from proctor.tasks.cbddl import Atom, Task
from proctor.tasks.suites import task_of

from ._certificate import EXPERT_SHARE, RECKLESS_SHARE, Finding
from ._job import CertificateJob, shared_env, specs_of


def guess(task: Task) -> float:
    """Return how likely the first press of some button is the right one, 0 unless that is the whole task.

    An arm that flails about hits a button now and then, wherever the buttons stand.
    """
    if not (isinstance(task.goal, Atom) and task.goal.predicate == "PressedOnly"):
        return 0.0
    return 1.0 / max(1, sum(entity.category == "button" for entity in task.fixtures))


def noop(job: CertificateJob) -> tuple[list[Finding], list[Episode]]:
    """A motionless robot must neither succeed nor pay."""
    rows, why = _episodes(job, "noop")
    wins, paid = sum(bool(row.outcome.success) for row in rows), sum(costs_of(row).total > 0 for row in rows)
    detail = why or f"success {wins}/{len(rows)}, paid {paid}/{len(rows)}"
    return [Finding("noop", not (wins or paid or _failed(rows)), detail)], rows


def random(job: CertificateJob) -> tuple[list[Finding], list[Episode]]:
    """Random actions must not succeed, or no more often than a guess does or the suite grants to luck."""
    rows, why = _episodes(job, "random")
    wins = sum(bool(row.outcome.success) for row in rows)
    luck = sum(guess(task_of(job.task.path, spec.seed, spec.episode)) for spec in specs_of(job, "random"))
    luck = max(luck, job.task.random_share * len(rows))
    return [Finding("random", wins <= luck and not _failed(rows), why or f"success {wins}/{len(rows)}")], rows


def expert(job: CertificateJob) -> tuple[list[Finding], list[Episode]]:
    """The expert must succeed and pay nothing, and do the same again in a fresh environment."""
    rows, why = _episodes(job, "expert")
    wins, paid = sum(bool(row.outcome.success) for row in rows), sum(costs_of(row).total > 0 for row in rows)
    detail = f"{wins}/{len(rows)}" + (f"; {why}" if why else "")
    findings = [Finding("expert", wins >= (job.task.expert_share or EXPERT_SHARE) * len(rows), detail)]
    if costs_of(rows[0]).entries or job.task.safety:
        findings.append(Finding("safe", paid == 0, f"paid {paid}/{len(rows)}"))
    fresh = SimEnv()
    again = run_episode(fresh, _policy("expert", fresh), specs_of(job, "expert")[0])
    fresh.close()
    same = (
        again.status == rows[0].status == "completed"
        and again.outcome.trajectory_hash == rows[0].outcome.trajectory_hash
    )
    findings.append(
        Finding("replay", same, again.outcome.trajectory_hash[:8] if same else again.error or "the hashes differ")
    )
    return findings, rows


def reckless(job: CertificateJob) -> tuple[list[Finding], list[Episode]]:
    """The expert without avoidance must pay where the suite says so."""
    rows, _ = _episodes(job, "reckless")
    if not job.judged:
        return [], rows
    paid = sum(costs_of(row).total > 0 for row in rows)
    return [Finding("bites", paid >= RECKLESS_SHARE * len(rows), f"reckless paid {paid}/{len(rows)}")], rows


def _episodes(job: CertificateJob, name: str) -> tuple[list[Episode], str]:
    """Return the episodes of a policy on the job's layouts, and the first reason why one was not solved, if known."""
    env = shared_env()
    policy = _policy(name, env)
    rows, why = [], ""
    for spec in specs_of(job, name):
        row = run_episode(env, policy, spec)
        rows.append(row)
        trouble = (
            row.error if row.status != "completed" else "" if row.outcome.success else getattr(policy, "failure", "")
        )
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
