"""Pages of a sweep in Markdown: the certificates with a row per task, the baselines with a row per suite and level."""

from __future__ import annotations

import datetime
import re
import subprocess
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from statistics import median

from proctor import __version__
from proctor.analysis.stats import mean_cost_interval, safe_successes, wilson

from ._certificate import CERTIFICATES, Certificate, Played
from ._job import shared_env

POLICIES = ("noop", "random", "reckless", "expert")


def certificates_page(certificates: Sequence[Certificate], command: str) -> str:
    """Return the page with what every task has proved."""
    good = sum(certificate.passed for certificate in certificates)
    lines = [
        "# Certificates of every task",
        "",
        f"**{good} of {len(certificates)} tasks certified.** {_made_by(certificates, command)}",
        "",
        "[What each certificate proves](../../howto/tasks.md#certificates). A cell shows the figure behind it:",
        "`settles`, `start` and `expert` count layouts that passed, `noop` and `random` layouts that succeeded (`noop`",
        "also those that paid), `safe` and `bites` layouts on which the expert and the reckless expert paid. `steps`",
        "is the median of the expert's successes, `s` the processor seconds of all questions. The hash under",
        "`replay` belongs to the machine that made this page: another processor or numpy gives another hash.",
        "",
        *_totals(certificates),
    ]
    for suite, members in groupby(certificates, key=lambda certificate: certificate.suite):
        lines += ["", f"## {suite}", "", *_tasks(list(members))]
    failures = list(_failures(certificates))
    if failures:
        lines += ["", "## Not certified", "", *failures]
    return "\n".join(lines) + "\n"


def _made_by(certificates: Sequence[Certificate], command: str) -> str:
    layouts = sorted({certificate.layouts for certificate in certificates})
    seconds = sum(certificate.cpu_s for certificate in certificates)
    return (
        f"{' and '.join(map(str, layouts))} layouts each, seed {certificates[0].seed}; {_versions()}; "
        f"{seconds / 60:.0f} minutes of one core. Made by `{command}`."
    )


def _versions() -> str:
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    mujoco = shared_env().spec().fingerprint["mujoco"]
    return f"{today}, Proctor {__version__}{_commit()}, MuJoCo {mujoco}"


def _commit() -> str:
    """Return " at COMMIT" where the package lies in a Git checkout, else nothing."""
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return f" at {done.stdout.strip()}" if done.returncode == 0 else ""


def _totals(certificates: Sequence[Certificate]) -> Iterator[str]:
    yield "| suite | level | certified | expert | expert paid | reckless paid | noop won, paid | random won |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for (suite, level), group in groupby(certificates, key=lambda certificate: (certificate.suite, certificate.level)):
        members = list(group)
        played = {policy: _played(members, policy) for policy in POLICIES}
        won = {policy: _count(p.success for p in played[policy]) for policy in POLICIES}
        paid = {policy: _count(p.cost > 0 for p in played[policy] if p.watched) for policy in POLICIES}
        certified = _count(member.passed for member in members)
        yield (
            f"| {suite} | {level} | {certified} | {won['expert']} | {paid['expert']} | {paid['reckless']} | "
            f"{won['noop']}, {paid['noop']} | {won['random']} |"
        )


def _played(certificates: Sequence[Certificate], policy: str) -> list[Played]:
    return [played for certificate in certificates for played in certificate.played.get(policy, ())]


def _count(values: Iterator[bool | None]) -> str:
    known = list(values)
    return f"{sum(map(bool, known))}/{len(known)}" if known else "–"


def _tasks(certificates: Sequence[Certificate]) -> Iterator[str]:
    asked = {finding.certificate for certificate in certificates for finding in certificate.findings}
    names = [name for name in CERTIFICATES if name in asked]
    yield f"| level | task | {' | '.join(f'`{name}`' for name in names)} | steps | s |"
    yield "|---|---|" + "---:|" * (len(names) + 2)
    for certificate in certificates:
        found = {finding.certificate: finding for finding in certificate.findings}
        cells = [
            "–" if name not in found else ("" if found[name].passed else "✗ ") + _figure(found[name].detail)
            for name in names
        ]
        steps = [played.steps for played in certificate.played.get("expert", ()) if played.success]
        name = certificate.task.removeprefix(f"{certificate.suite}/{certificate.level}/").partition("@")[0]
        title = name.replace("_", " ")
        yield (
            f"| {certificate.level} | {title} | {' | '.join(cells)} | {f'{median(steps):.0f}' if steps else '–'} | "
            f"{certificate.cpu_s:.0f} |"
        )


def _figure(detail: str) -> str:
    """Return the counts of a finding, a hash as it is, and a tick for what has neither."""
    counts = re.findall(r"\b\d+/\d+", detail.partition(";")[0])
    if counts:
        return ", ".join(counts)
    return f"`{detail}`" if re.fullmatch(r"[0-9a-f]{8}", detail) else "✓" if detail else ""


def _failures(certificates: Sequence[Certificate]) -> Iterator[str]:
    for certificate in certificates:
        for finding in certificate.findings:
            if not finding.passed:
                yield f"- {certificate.task}: `{finding.certificate}`: {finding.detail.replace('|', '/')}"


def baselines_page(certificates: Sequence[Certificate], command: str) -> str:
    """Return the page with what four policies that need no training get on every suite and level."""
    lines = [
        "# Baselines",
        "",
        "What a policy's numbers are to be held against: a robot that does not move (`noop`), one that moves at",
        "random, the scripted expert without avoidance (`reckless`) and the expert. The last two read the true state.",
        "",
        _made_by(certificates, command),
        "All four play the same layouts. In brackets the 95 % interval: Wilson's for a share, the bootstrap within",
        "tasks for a mean cost ([how](../metrics.md)). A dash: no task there defines a cost.",
    ]
    groups = [
        (suite, level, list(group))
        for (suite, level), group in groupby(
            certificates, key=lambda certificate: (certificate.suite, certificate.level)
        )
    ]
    for title, cell in (
        ("Success rate", _success_cell),
        ("Cost (CC)", _cost_cell),
        ("Safe success rate: success at cost 0", _safe_cell),
    ):
        lines += ["", f"## {title}", "", f"| suite | level | {' | '.join(POLICIES)} |", "|---|---|" + "---:|" * 4]
        for suite, level, members in groups:
            cells = [cell(members, policy) for policy in POLICIES]
            lines.append(f"| {suite} | {level} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _completed(certificates: Sequence[Certificate], policy: str) -> list[Played]:
    return [played for played in _played(certificates, policy) if played.success is not None]


def _success_cell(certificates: Sequence[Certificate], policy: str) -> str:
    played = _completed(certificates, policy)
    return _share(sum(bool(p.success) for p in played), len(played))


def _safe_cell(certificates: Sequence[Certificate], policy: str) -> str:
    played = [p for p in _completed(certificates, policy) if p.watched]
    return _share(safe_successes([bool(p.success) for p in played], [p.cost for p in played]), len(played))


def _cost_cell(certificates: Sequence[Certificate], policy: str) -> str:
    watched = [
        (played.cost, certificate.task)
        for certificate in certificates
        for played in _completed([certificate], policy)
        if played.watched
    ]
    if not watched:
        return "–"
    mean, low, high = mean_cost_interval([cost for cost, _ in watched], [task for _, task in watched])
    return f"{mean:.1f} ({low:.1f}–{high:.1f})"


def _share(count: int, n: int) -> str:
    if not n:
        return "–"
    low, high = wilson(count, n)
    return f"{100 * count / n:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
