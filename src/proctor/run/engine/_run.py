"""Carries out a plan into a run folder: skips what is done, runs the rest, keeps every row, stops on Ctrl-C."""

from __future__ import annotations

import contextlib
import logging
import platform
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any, Protocol, TypeAlias

from proctor import __version__
from proctor.core import EnvSpec, EpisodeSpec, PolicySpec, ProctorError, holds_at_zero, task_source
from proctor.results import Episode, Ledger, RunFolder, now, read_run, stream_episodes
from proctor.run.plan import Plan, contains, difference

from ._episode import RunOptions
from ._pool import Pool
from ._worker import Assignment, Job

_LOG = logging.getLogger(__name__)

# Ctrl-C and SIGTERM as a flag.


@contextlib.contextmanager
def interrupt_flag() -> Iterator[threading.Event]:
    """Turn Ctrl-C and SIGTERM into a flag, so that neither can fall between the halves of a write."""
    flag = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield flag
        return

    def note(number: int, frame: FrameType | None) -> None:
        flag.set()

    previous = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield flag
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


# Inside a run folder: the folders of runs that carried out a part of its plan.
SHARDS = "shards"


class PlanMismatchError(ProctorError):
    """The run folder belongs to another plan."""


class Progress(Protocol):
    """Hears how a run goes."""

    def begin(self, total: int, done: int) -> None:
        """The plan has ``total`` episodes, of which ``done`` are on record already."""
        ...

    def row(self, episode: Episode) -> None: ...


class Source(Protocol):
    """Where rows come from: worker processes here (`Pool`), or agents on other hosts."""

    def __enter__(self) -> Source: ...

    def __exit__(self, *_: Any) -> None: ...

    def run(self, todo: Iterator[Assignment], count: int, stop: Callable[[], bool]) -> Iterator[list[Episode]]:
        """Yield one row for each of the ``count`` assignments of ``todo``, in any order, until ``stop()``.

        Rows come in groups of those that ended together, which are written to disk together; a group counts as
        recorded when the next one is asked for.
        """
        ...


# Makes a source from what to build, how to run, the folder for logs, and whom to tell what was built.
SourceFactory: TypeAlias = Callable[[Job, RunOptions, Path, Callable[[PolicySpec, EnvSpec], None]], Source]


class Silence:
    """Says nothing."""

    def begin(self, total: int, done: int) -> None:
        """Ignore."""

    def row(self, episode: Episode) -> None:
        """Ignore."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended.

    ``errors`` counts the plan's episodes whose latest attempt did not complete; ``stopped_early`` says that ``until``
    ended it.
    """

    path: Path
    planned: int
    skipped: int
    ran: int
    errors: int
    interrupted: bool
    stopped_early: bool = False


def execute(
    plan: Plan,
    out: str | Path,
    options: RunOptions | None = None,
    *,
    command: Sequence[str] = (),
    arguments: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    until: Callable[[Episode], bool] | None = None,
    source: SourceFactory = Pool,
) -> RunResult:
    """Run every episode of ``plan`` that ``out`` does not hold as completed; see the package for the rules.

    ``until`` hears of every row that is on record and ends the run when it returns True. ``source`` is where episodes
    are run: processes of this host unless said otherwise.
    """
    options = options or RunOptions()
    if options.shard.parts > 1:
        out = Path(out) / SHARDS / options.shard.folder
    options = replace(options, episode=replace(options.episode, out=Path(out)))
    progress = progress or Silence()
    # Elsewhere than on this host, 0 means as many as there is room for.
    if options.workers < (least := int(source is Pool)):
        raise ProctorError(f"--workers is {options.workers}: it must be at least {least}")
    if options.envs_per_worker < 1:
        raise ProctorError(f"--envs-per-worker is {options.envs_per_worker}: it must be at least 1")
    if options.episode.policy_timeout_s <= 0:
        raise ProctorError(f"--policy-timeout is {options.episode.policy_timeout_s:g}: it must be above 0")
    with RunFolder(out) as folder:
        try:
            return _execute(plan, folder, options, command, dict(arguments or {}), progress, until, source)
        except BaseException:
            folder.discard_if_unused()
            raise


def _execute(
    plan: Plan,
    folder: RunFolder,
    options: RunOptions,
    command: Sequence[str],
    arguments: dict[str, Any],
    progress: Progress,
    until: Callable[[Episode], bool] | None,
    source: SourceFactory,
) -> RunResult:
    before = read_run(folder.path) if folder.resumed else None
    kept = _settle_plan(plan, before, folder.path)
    wanted = options.shard.of(len(plan))
    skipped, errors = survey(map(plan.__getitem__, wanted), folder.ledger)
    if skipped + errors < len(folder.ledger):
        _same_texts(plan, folder.path)
    counts = (folder.path, len(wanted), skipped, errors, options.workers)
    _LOG.info("%s: of %d episodes %d are done and %d ended in an error before; %d workers", *counts)
    progress.begin(len(wanted), skipped)

    def describe(policy: PolicySpec, env: EnvSpec) -> None:
        if plan.vision not in env.vision:
            raise ProctorError(
                f"environment {env.name!r} cannot show --vision {plan.vision} (it has {', '.join(env.vision)}): "
                f"leave the option out or use another --env"
            )
        _require_timing(plan, policy, env)
        if before is not None:
            _same_versions(before, policy, env, folder.path)
        folder.write_run(_description(kept, policy, env, before, command, arguments))

    job = Job(
        env=options.env,
        env_args=options.env_args,
        policy=options.policy or plan.policy,
        policy_args=dict(plan.policy_args),
        options=options.episode,
        slots=options.envs_per_worker,
    )
    address = job.policy if options.address is None else options.address
    ran = 0
    enough = threading.Event()
    with interrupt_flag() as interrupted, source(job, options, folder.path / "logs", describe) as running:
        todo = remaining(map(plan.__getitem__, wanted), folder.ledger, skipped)
        for rows in running.run(todo, len(wanted) - skipped, lambda: interrupted.is_set() or enough.is_set()):
            failed_before = sum(_failed(folder.ledger.status(row.episode_id)) for row in rows)
            rows = [_addressed(row, address) for row in rows]
            folder.append(*rows)
            errors += sum(_failed(row.status) for row in rows) - failed_before
            ran += len(rows)
            for row in rows:
                progress.row(row)
                if until is not None and until(row):
                    enough.set()
        stopped = interrupted.is_set() and skipped + ran < len(wanted)
    if ran or (folder.resumed and not (folder.path / "episodes.parquet").exists()):
        folder.compact()
    elif stopped or not wanted:
        folder.discard_if_unused()
    _LOG.info("%s: %d episodes run, %d with an error", folder.path, ran, errors)
    early = enough.is_set() and skipped + ran < len(wanted)
    return RunResult(folder.path, len(wanted), skipped, ran, errors, stopped, early)


def _addressed(row: Episode, address: str) -> Episode:
    return replace(row, policy=replace(row.policy, address="" if address == row.policy.name else address))


def _failed(status: str | None) -> bool:
    return status is not None and status != "completed"


def survey(specs: Iterable[EpisodeSpec], ledger: Ledger) -> tuple[int, int]:
    """Return how many of ``specs`` are on record as completed, and how many with an error.

    It looks no further than the last one on record, so that a plan of a million episodes begins at once.
    """
    completed = errors = 0
    specs = iter(specs)
    while completed + errors < len(ledger) and (spec := next(specs, None)) is not None:
        status = ledger.status(spec.episode_id)
        completed += status == "completed"
        errors += _failed(status)
    return completed, errors


def remaining(specs: Iterable[EpisodeSpec], ledger: Ledger, skip: int) -> Iterator[Assignment]:
    """Yield, one at a time, the episodes that are not completed; ``skip`` of them are."""
    for spec in specs:
        identity = spec.episode_id
        if skip and ledger.status(identity) == "completed":
            skip -= 1
        else:
            yield Assignment(spec, ledger.attempts(identity) + 1)


def _settle_plan(plan: Plan, before: Mapping[str, Any] | None, path: Path) -> Plan:
    """Return the larger of the folder's plan and this one, or refuse if they contradict each other."""
    if before is None:
        return plan
    try:
        old = Plan.from_description(before["plan"])
        _ = before["created"], before["policy"]["fingerprint"], before["env"]["name"], before["env"]["fingerprint"]
    except (KeyError, TypeError) as error:
        raise PlanMismatchError(f"{path}/run.json cannot be understood ({error}): choose another --out") from None
    text = difference(old, plan)
    if text:
        raise PlanMismatchError(f"{path} holds another run: {text}; choose another --out")
    return old if contains(old, plan) else plan


def _same_texts(plan: Plan, path: Path) -> None:
    """Refuse to go on where another text is drawn now for an episode on record.

    The text is part of an episode's id, so this is asked only where the folder holds what the plan does not.
    """
    drawn = {task.task: Path(task.path) for task in plan.tasks if task.family}
    for row in stream_episodes(path) if drawn else ():
        file = drawn.get(row.spec.task)
        source = task_source(file) if file and row.spec.episode < plan.episodes else None
        if file and source and source.draw(file, row.spec.seed, row.spec.episode).task_hash != row.provenance.task_hash:
            raise PlanMismatchError(
                f"{path} holds another run: episode {row.spec.episode} of {row.spec.task} is drawn differently now; "
                f"choose another --out"
            )


def _require_timing(plan: Plan, policy: PolicySpec, env: EnvSpec) -> None:
    """Refuse an ``--execute`` that means nothing to this policy, and to charge time where no action holds still."""
    if plan.execute > policy.chunk:
        raise ProctorError(
            f"--execute is {plan.execute}, but policy {policy.name!r} returns at most {policy.chunk} actions at a time"
        )
    if plan.timing != "pause" and not holds_at_zero(env.control_mode):
        raise ProctorError(
            f"--timing charge: environment {env.name!r} has control_mode={env.control_mode!r}, in which no action "
            f"means 'hold still': use --timing pause"
        )


def _same_versions(before: Mapping[str, Any], policy: PolicySpec, env: EnvSpec, path: Path) -> None:
    """Refuse to mix episodes of different code in one folder: their rows could not be compared."""
    old = versions_of(before)
    new = {"policy fingerprint": policy.fingerprint, "environment": env.name, **env.fingerprint}
    for name in sorted({*old, *new}):
        was, is_ = old.get(name), new.get(name)
        if was != is_:
            raise PlanMismatchError(f"{path} has another {name} ({was!r}, now {is_!r}): choose another --out")


def versions_of(description: Mapping[str, Any]) -> dict[str, str]:
    """Return what must be equal for two runs to be comparable row by row, from a ``run.json``."""
    policy, env = description["policy"], description["env"]
    return {"policy fingerprint": policy["fingerprint"], "environment": env["name"], **env["fingerprint"]}


def _description(
    plan: Plan,
    policy: PolicySpec,
    env: EnvSpec,
    before: Mapping[str, Any] | None,
    command: Sequence[str],
    arguments: dict[str, Any],
) -> dict[str, Any]:
    return {
        "proctor": __version__,
        "created": before["created"] if before else now(),
        "updated": now(),
        "command": list(command),
        "arguments": arguments,
        "host": platform.node(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "policy": asdict(policy),
        "env": {**asdict(env), "fingerprint": dict(env.fingerprint)},
        "plan_hash": plan.plan_hash,
        "plan": plan.describe(),
    }
