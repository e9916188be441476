"""``proctor.evaluate``: from an experiment to a run. The command line calls the same two steps, `prepare` and `run`."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from proctor.core import ProctorError, Shard

from ._experiment import Experiment
from ._finished import Run
from ._until import Judge, judge_of

if TYPE_CHECKING:
    from proctor.results import Episode
    from proctor.run.engine import Progress, RunOptions, SourceFactory
    from proctor.run.plan import Plan

OnEpisode = Callable[["Episode"], object]
_log = logging.getLogger("proctor")


def evaluate(
    policy: Any,
    tasks: str | Sequence[str],
    *,
    policy_args: Mapping[str, Any] | None = None,
    name: str | None = None,
    episodes: int = 10,
    levels: str | Sequence[str] | None = None,
    include: str | Sequence[str] = (),
    seed: int = 0,
    limit: int | None = None,
    shard: str | None = None,
    workers: int | None = None,
    envs_per_worker: int = 1,
    ray: str | None = None,
    replicas: int = 0,
    out: str | os.PathLike[str] | None = None,
    max_steps: int | None = None,
    success: Literal["hold", "any_step"] | None = None,
    compat: Literal["corrected", "paper"] = "corrected",
    vision: str = "V0",
    instruction: Literal["correct", "none", "wrong", "shuffled", "wrong_object", "antonym", "punctuation"] = "correct",
    language: str = "W0",
    substitutes: Literal["auto", "lexicon"] = "auto",
    paraphrases: str | os.PathLike[str] | None = None,
    timing: Literal["pause", "charge"] = "pause",
    latency: str | None = None,
    execute: int | None = None,
    clip_actions: bool = False,
    policy_timeout: float = 60.0,
    video: Literal["none", "all", "failures"] = "none",
    video_cameras: str | Sequence[str] = (),
    record_steps: bool = False,
    trace: bool = False,
    trace_episodes: int = 1,
    trace_requests: int = 32,
    until_resolved: str | os.PathLike[str] | None = None,
    alpha: float = 0.05,
    env: str = "proctor.sim:SimEnv",
    env_args: Mapping[str, Any] | None = None,
    on_episode: OnEpisode | Sequence[OnEpisode] = (),
) -> Run:
    """Examine a policy on tasks and return the run; `Experiment` says what each argument means.

    ``policy`` is an object, a name, ``package.module:Class`` or a URL. An object stays in this process: worker
    processes hold the environments and ask it through shared memory, one thread calls it, and after the call nothing of
    this is left. Episodes at the same time have copies of it that share its weights (see
    `proctor.policies.episode_copy`), or are answered together if it has ``act_batch``.

    Without ``out`` every call has a new folder below ``runs``. With ``out`` episodes that it holds already are kept, as
    by ``proctor run``. ``on_episode`` is called with each row once it is on record; callables with a method ``end`` get
    the finished run there (`proctor.loggers`). Ctrl-C raises `KeyboardInterrupt`; what was recorded is kept.
    """
    given = dict(locals())
    callbacks = given.pop("on_episode")
    given |= {"tasks": _several(tasks), "policy_args": dict(policy_args or {}), "env_args": dict(env_args or {})}
    given |= {"include": _several(include), "video_cameras": _several(video_cameras)}
    given["levels"] = levels if levels is None or isinstance(levels, str) else tuple(levels)
    listeners = (callbacks,) if callable(callbacks) else tuple(callbacks)
    run = prepare(Experiment(**given), fresh=True).run(on_episode=listeners)
    if run.result is not None and run.result.interrupted:
        raise KeyboardInterrupt(f"{run.result.skipped + run.result.ran} episodes are kept in {run.folder}")
    return run


@dataclass(frozen=True, slots=True)
class Examination:
    """An experiment with everything found, parsed and checked that can be before the first worker starts."""

    experiment: Experiment
    plan: Plan
    options: RunOptions
    folder: Path
    judge: Judge | None

    @property
    def title(self) -> str:
        """Who is examined on what."""
        suites = ", ".join(sorted({task.suite for task in self.plan.tasks}))
        counts = f"{_count(len(self.plan.tasks), 'task')}, {_count(len(self.plan), 'episode')}"
        return f"{self.plan.policy} on {suites}: {counts}"

    def run(
        self,
        *,
        on_episode: Sequence[OnEpisode] = (),
        progress: Progress | None = None,
        command: Sequence[str] = (),
    ) -> Run:
        """Run what the folder does not hold, and return all that it holds then."""
        from proctor.run.engine import execute

        judge = self.judge
        if judge is not None and judge.settled:
            return Run(self.folder, verdict=judge.state.sentence)

        def hear(row: Episode) -> bool:
            for listener in on_episode:
                listener(row)
            return judge is not None and judge.hear([row])

        with self._policy() as options:
            result = execute(
                self.plan,
                self.folder,
                options,
                command=command,
                arguments=self.experiment.describe(),
                progress=progress,
                until=hear,
                source=self._source(progress),
            )
        run = Run(result.path, result=result, verdict=judge.state.sentence if judge else "")
        for listener in on_episode:
            end = getattr(listener, "end", None)
            if callable(end):
                end(run)
        return run

    def _source(self, progress: Progress | None) -> SourceFactory:
        """Return where episodes are carried out: processes of this host, or actors of a Ray cluster."""
        from proctor.run.engine import Pool

        one = self.experiment
        if one.ray is None:
            return Pool
        from proctor.run.cluster import RayOptions, RayWorkers

        say, tell = getattr(progress, "standing", _log.debug), getattr(progress, "note", _log.info)
        return partial(RayWorkers, cluster=RayOptions(one.ray, one.replicas, say=say, note=tell))

    @contextlib.contextmanager
    def _policy(self) -> Iterator[RunOptions]:
        """Yield the options by which workers reach the policy; an object is served meanwhile."""
        if not self.experiment.is_object:
            yield self.options
            return
        from proctor.serving import serve_object

        sessions = self.options.workers * self.options.envs_per_worker
        with serve_object(self.experiment.policy, name=self.plan.policy, max_batch=max(16, sessions)) as url:
            # A socket that is gone after the call would tell nobody anything.
            yield replace(self.options, policy=url, address="")


def prepare(experiment: Experiment, *, fresh: bool = False, note: Callable[[str], None] = _log.warning) -> Examination:
    """Find and check what an experiment names. Without ``out`` the folder is the experiment's own, or ``fresh``.

    ``note`` hears what is worth knowing and no mistake.
    """
    from proctor.run.engine import DEFAULT_ENV, EpisodeOptions, RunOptions
    from proctor.run.foreign import FOREIGN_ENV, foreign_run
    from proctor.run.plan import Plan, plan_tasks, variant_of, with_texts

    one = experiment
    built_from, policy_args, label = _named(one)
    variant = variant_of(one.instruction, one.language, one.paraphrases)
    wrong = variant == "wrong"
    foreign = foreign_run(
        one.tasks,
        one.env_args,
        episodes=one.episodes,
        max_steps=one.max_steps,
        wrong=wrong,
        refused={
            "--env": one.env != DEFAULT_ENV,
            "--levels": one.levels is not None,
            "--success hold": one.success == "hold",
            "--compat paper": one.compat == "paper",
        },
        note=note,
    )
    env, env_args, success, ours = one.env, one.env_args, one.success, one.env == DEFAULT_ENV and foreign is None
    if foreign is not None:
        env, env_args, success, tasks = FOREIGN_ENV, foreign.env_args, "any_step", foreign.tasks
    else:
        tasks = plan_tasks(
            one.tasks,
            levels=one.levels,
            include=one.include,
            max_steps=one.max_steps,
            check_assets=ours,
            wrong=wrong,
        )
    plan = Plan(
        tasks=with_texts(tasks, variant, one.paraphrases, substitutes=one.substitutes, scenes=ours, note=note),
        episodes=one.episodes,
        seed=one.seed,
        policy=label,
        policy_args=policy_args,
        language=variant,
        vision=one.vision.upper(),
        success_rule=success or ("any_step" if one.compat == "paper" else "hold"),
        compat=one.compat,
        limit=one.limit,
        timing="pause" if one.timing == "pause" else f"charge:{one.latency or 'measured'}",
        execute=one.execute or 0,
    )
    options = RunOptions(
        workers=one.workers if one.workers is not None else int(one.ray is None),
        envs_per_worker=one.envs_per_worker,
        env=env,
        env_args=env_args,
        policy=built_from,
        shard=Shard.parse(one.shard) if one.shard is not None else Shard(),
        episode=EpisodeOptions(
            clip_actions=one.clip_actions,
            policy_timeout_s=one.policy_timeout,
            video=one.video,
            video_cameras=tuple(one.video_cameras),
            record_steps=one.record_steps,
            trace_episodes=one.trace_episodes if one.trace else 0,
            trace_requests=one.trace_requests,
        ),
    )
    folder = one.out or _folder(one, plan, fresh=fresh)
    judge = judge_of(one.until_resolved, plan, folder, one.alpha) if one.until_resolved is not None else None
    _log.info(
        "plan %s: %s, %s by %s, seed %d, into %s",
        plan.plan_hash[:12],
        _count(len(plan.tasks), "task"),
        _count(len(plan), "episode"),
        plan.policy,
        plan.seed,
        folder,
    )
    return Examination(one, plan, options, folder, judge)


def _named(experiment: Experiment) -> tuple[str, dict[str, Any], str]:
    """Return what the policy is built from ("" for an object), its arguments, and what rows call it."""
    from proctor.policies import SingleSession, check_name, is_batch, parse_policy, policy_label, policy_spec

    policy, name = experiment.policy, experiment.name
    if not experiment.is_object:
        pairs = [f"{key}={json.dumps(value)}" for key, value in experiment.policy_args.items()]
        built_from, args = parse_policy(policy, pairs)
        return built_from, args, policy_label(built_from, args, name)
    kind = type(policy).__name__
    if isinstance(policy, type):
        raise ProctorError(f"policy {policy.__name__} is a class: pass an object, {policy.__name__}(...)")
    if experiment.policy_args:
        raise ProctorError(f"policy_args are for policies given by name; this {kind} is built already")
    wanted = ("spec", "reset", "act")
    missing = [] if is_batch(policy) else [each for each in wanted if not callable(getattr(policy, each, None))]
    if missing:
        raise ProctorError(f"policy: a {kind} has no method {missing[0]}(): it needs spec(), reset() and act()")
    spec = policy_spec(kind, SingleSession(policy) if is_batch(policy) else policy)
    if spec.privileged:
        raise ProctorError(
            f"policy {spec.name!r} is privileged: it acts in the environment's process; give its name or "
            f"package.module:Class instead of an object"
        )
    if name is not None:
        check_name(name)
    return "", {}, name or spec.name or kind


def _folder(experiment: Experiment, plan: Plan, *, fresh: bool) -> Path:
    """Return ``runs/SUITE-POLICY-SEED``, variants added, with all but letters, digits and dots made harmless.

    A ``fresh`` one ends in the time and is made now, so that two calls at once cannot take the same.
    """
    suites = "+".join(selector.rstrip("/").removesuffix(".cbddl") for selector in experiment.tasks)
    parts = [suites, plan.policy, str(plan.seed)]
    parts += [variant for variant in (plan.vision, plan.language, plan.timing) if variant not in ("V0", "W0", "pause")]
    parts += [f"execute{plan.execute}"] if plan.execute else []
    folder = Path("runs") / "-".join(re.sub(r"[^\w.+]+", "_", part).strip("._") for part in parts)
    if not fresh:
        return folder
    stamp, number = f"{folder}-{time.strftime('%Y%m%d-%H%M%S')}", 1
    while True:
        path = Path(stamp if number == 1 else f"{stamp}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return path


def _several(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
