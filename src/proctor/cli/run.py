"""``proctor run``: from a selection of tasks and a policy to a folder of episodes."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from proctor.run.engine import SourceFactory
    from proctor.run.plan import Plan

    from ._progress import LiveProgress, PlainProgress
    from ._until import Judge

INTERRUPTED = 130

# heading of the help page: its options
PANELS = {
    "The policy": ("policy", "name", "policy_arg", "policy_timeout", "execute_", "clip_actions"),
    "What to run": ("episodes", "levels", "include", "seed", "limit"),
    "What is kept": ("out", "video", "video_cameras", "record_steps"),
    "Conditions": ("max_steps", "success", "compat", "vision", "timing", "latency", "env", "env_arg"),
    "What the policy is told": ("instruction", "language", "substitutes", "paraphrases"),
    "Stop early": ("until_resolved", "alpha"),
    "Processes and hosts": ("workers", "envs_per_worker", "shard", "ray", "replicas"),
}


def run(
    ctx: typer.Context,
    selectors: Annotated[
        list[str],
        typer.Argument(metavar="SELECTOR", help="Suite, part of a task id, or a folder or file of tasks."),
    ],
    policy: Annotated[
        str,
        typer.Option(
            "--policy", "-p", help="A name (expert, noop, random, ...), package.module:Class, or the URL of a server."
        ),
    ],
    name: Annotated[
        str | None,
        typer.Option(help="What rows and reports call the policy.", show_default="as --policy; a server's own name"),
    ] = None,
    episodes: Annotated[int, typer.Option("--episodes", "-n", help="Episodes of each task.")] = 10,
    levels: Annotated[str | None, typer.Option(help="Only these levels, as in L0,L1.", show_default="all")] = None,
    include: Annotated[
        list[str] | None, typer.Option(help="Also tasks that are left out by default: hard.", show_default="none")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-w", help="Processes; each has its own policy.", show_default="1; --ray every CPU"),
    ] = None,
    envs_per_worker: Annotated[
        int,
        typer.Option(help="Episodes at a time in each process, for policies with a URL or act_batch()."),
    ] = 1,
    seed: Annotated[int, typer.Option(help="Decides every layout; equal for all policies.")] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Run folder.", show_default="runs/SUITE-POLICY-SEED[-VARIANT]")
    ] = None,
    max_steps: Annotated[
        int | None, typer.Option(help="Control steps allowed.", show_default="as the suite says")
    ] = None,
    success: Annotated[
        Literal["hold", "any_step"] | None,
        typer.Option(
            help="Goal must hold for 10 steps, or be true at any one.",
            show_default="hold; any_step with --compat paper",
        ),
    ] = None,
    compat: Annotated[
        Literal["corrected", "paper"], typer.Option(help="Corrected definitions, or the papers' own.")
    ] = "corrected",
    vision: Annotated[
        str, typer.Option(help="Pictures: V0 as they are, V1 light, V2 + colours, V3 + camera, V4 + noise.")
    ] = "V0",
    instruction: Annotated[
        Literal["correct", "none", "wrong", "shuffled", "wrong_object", "antonym", "punctuation"],
        typer.Option(help="The task's own, or a control: no text, another task's, its words shuffled, ..."),
    ] = "correct",
    language: Annotated[str, typer.Option(help="Words replaced by neighbours in WordNet: W0 none to W4 four.")] = "W0",
    substitutes: Annotated[
        Literal["auto", "lexicon"], typer.Option(help="With --language: installed WordNet if any, or our lexicon only.")
    ] = "auto",
    paraphrases: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Send each text of this file once (see 'proctor paraphrase').")
    ] = None,
    video: Annotated[Literal["none", "all", "failures"], typer.Option(help="Which episodes to film.")] = "none",
    video_cameras: Annotated[
        str | None, typer.Option(help="Cameras side by side, as in agentview,wrist.", show_default="the first")
    ] = None,
    record_steps: Annotated[
        bool, typer.Option("--record-steps", help="Keep the actions, for the replay policy.")
    ] = False,
    clip_actions: Annotated[
        bool, typer.Option("--clip-actions", help="Clip actions to [-1, 1] and count them, instead of an error.")
    ] = False,
    policy_timeout: Annotated[float, typer.Option(help="Seconds allowed for each answer of the policy.")] = 60.0,
    policy_arg: Annotated[
        list[str] | None, typer.Option("--policy-arg", help="key=value for the policy; may be repeated.")
    ] = None,
    execute_: Annotated[
        int | None,
        typer.Option("--execute", help="Actions of each chunk to execute before asking again.", show_default="all"),
    ] = None,
    timing: Annotated[
        Literal["pause", "charge"], typer.Option(help="The world waits for the policy, or goes on while it thinks.")
    ] = "pause",
    latency: Annotated[
        str | None,
        typer.Option(help="With --timing charge: seconds per request, or measured.", show_default="measured"),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Stop after so many episodes of the plan.")] = None,
    until_resolved: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="Stop once it is settled who is better: this policy or the one of RUN."),
    ] = None,
    alpha: Annotated[
        float, typer.Option(help="With --until-resolved: chance of a wrong verdict, however early.")
    ] = 0.05,
    env: Annotated[str, typer.Option(help="Environment, as package.module:Class.")] = "proctor.sim:SimEnv",
    env_arg: Annotated[
        list[str] | None, typer.Option("--env-arg", help="key=value for the environment; may be repeated.")
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only part I of N of the episodes, as in 2/8; 'proctor merge' gathers them."),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Workers on a Ray cluster: its address, auto, or local for one of this host."
        ),
    ] = None,
    replicas: Annotated[
        int, typer.Option(help="With --ray: serve the policy so many times there, on a GPU each if there are any.")
    ] = 0,
) -> None:
    """Run a policy on every selected task and record each episode as a row.

    The same command again resumes: completed episodes are kept, the others run.

    Exit code: 0 all completed, 1 some ended in an error, 2 a mistake in the command, 130 interrupted.
    """
    from proctor.core import ProctorError, Shard
    from proctor.policies import parse_arguments, parse_policy, policy_label
    from proctor.run.engine import DEFAULT_ENV, EpisodeOptions, RunOptions, execute
    from proctor.run.foreign import FOREIGN_ENV, foreign_run
    from proctor.run.plan import Plan, plan_tasks, variant_of, with_texts

    from ._progress import progress_for
    from ._secrets import without_secrets
    from ._summary import print_summary

    if max_steps is not None and max_steps < 1:
        raise ProctorError(f"--max-steps is {max_steps}: it must be at least 1")
    if execute_ is not None and execute_ < 1:
        raise ProctorError(f"--execute is {execute_}: it must be at least 1")
    if latency is not None and timing == "pause":
        raise ProctorError("--latency needs --timing charge: under pause the world waits for the policy")
    if shard is not None and until_resolved is not None:
        raise ProctorError("--until-resolved judges the episodes in the order of the whole plan: leave out --shard")
    part = Shard.parse(shard) if shard is not None else Shard()
    built_from, policy_args = parse_policy(policy, policy_arg or ())
    label = policy_label(built_from, policy_args, name)
    variant = variant_of(instruction, language, paraphrases)
    env_args = parse_arguments(env_arg or (), "--env-arg")
    foreign = foreign_run(
        selectors,
        env_args,
        episodes=episodes,
        max_steps=max_steps,
        wrong=variant == "wrong",
        refused={
            "--env": env != DEFAULT_ENV,
            "--levels": levels is not None,
            "--success hold": success == "hold",
            "--compat paper": compat == "paper",
        },
        note=_note,
    )
    if foreign is not None:
        env, env_args, success = FOREIGN_ENV, foreign.env_args, "any_step"
    known = env == DEFAULT_ENV
    tasks = (
        foreign.tasks
        if foreign is not None
        else plan_tasks(
            selectors,
            levels=levels,
            include=include or (),
            max_steps=max_steps,
            check_assets=known,
            wrong=variant == "wrong",
        )
    )
    plan = Plan(
        tasks=with_texts(tasks, variant, paraphrases, substitutes=substitutes, scenes=known, note=_note),
        episodes=episodes,
        seed=seed,
        policy=label,
        policy_args=policy_args,
        language=variant,
        vision=vision.upper(),
        success_rule=success or ("any_step" if compat == "paper" else "hold"),
        compat=compat,
        limit=limit,
        timing="pause" if timing == "pause" else f"charge:{latency or 'measured'}",
        execute=execute_ or 0,
    )
    folder = out or default_out(selectors, plan)
    options = RunOptions(
        workers=workers if workers is not None else int(ray is None),
        envs_per_worker=envs_per_worker,
        env=env,
        env_args=env_args,
        policy=built_from,
        shard=part,
        episode=EpisodeOptions(
            clip_actions=clip_actions,
            policy_timeout_s=policy_timeout,
            video=video,
            video_cameras=tuple(video_cameras.split(",")) if video_cameras else (),
            record_steps=record_steps,
        ),
    )
    judge = _judge(until_resolved, plan, folder, alpha) if until_resolved is not None else None
    if judge is not None and judge.settled:
        typer.echo(judge.state.sentence)
        return
    with progress_for(f"{label} on {_what(plan)}") as progress:
        result = execute(
            plan,
            folder,
            options,
            command=["proctor", *without_secrets(sys.argv[1:])],
            arguments=_plain_arguments(ctx),
            progress=progress,
            until=(lambda row: judge.hear([row])) if judge is not None else None,
            source=_source(ray, replicas, progress),
        )
    if result.ran or result.skipped:
        print_summary(result)
    if part.parts > 1:
        typer.echo(f"part {part.part} of {part.parts}; once all have ended: proctor merge {folder}")
    if result.interrupted:
        kept = f"{result.skipped + result.ran} of {result.planned} episodes are kept"
        typer.echo(f"interrupted: {kept} in {result.path}; run the same command again to go on", err=True)
        raise typer.Exit(INTERRUPTED)
    if judge is not None:
        typer.echo(judge.state.sentence)
    if result.stopped_early:
        typer.echo("The same command without --until-resolved runs the rest of the plan.")
    if result.errors:
        raise typer.Exit(1)


def _note(text: str) -> None:
    typer.echo(f"note: {text}", err=True)


def _source(ray: str | None, replicas: int, progress: PlainProgress | LiveProgress) -> SourceFactory:
    """Return where episodes are carried out: processes of this host, or actors of a Ray cluster."""
    from functools import partial

    from proctor.core import ProctorError
    from proctor.run.engine import Pool

    if ray is None:
        if replicas:
            raise ProctorError("--replicas needs --ray: on one host, use 'proctor serve --replicas'")
        return Pool
    from proctor.run.cluster import RayOptions, RayWorkers

    return partial(RayWorkers, cluster=RayOptions(ray, replicas, say=progress.standing, note=progress.note))


def _plain_arguments(ctx: typer.Context) -> dict[str, object]:
    """Return the options as JSON values, without tokens."""
    from ._secrets import without_secrets

    plain = {key: str(value) if isinstance(value, Path) else value for key, value in ctx.params.items()}
    plain["policy_arg"] = without_secrets(plain["policy_arg"] or ())
    return plain


def _judge(reference: Path, plan: Plan, out: Path, alpha: float) -> Judge:
    """Return the judge of a comparison with ``reference``, told of what ``out`` holds already."""
    from proctor.analysis.stats import StatsError
    from proctor.core import ProctorError
    from proctor.results import read_episodes

    from ._until import Judge

    try:
        judge = Judge(reference, plan, out, alpha=alpha)
    except StatsError as error:
        raise ProctorError(f"--until-resolved: {error}") from error
    if (out / "run.json").exists():
        judge.hear(row for row in read_episodes(out) if row.status == "completed")
    return judge


def default_out(selectors: list[str], plan: Plan) -> Path:
    """Return ``runs/SUITE-POLICY-SEED``, variants added, with all but letters, digits and dots made harmless."""
    suites = "+".join(selector.rstrip("/").removesuffix(".cbddl") for selector in selectors)
    parts = [suites, plan.policy, str(plan.seed)]
    parts += [variant for variant in (plan.vision, plan.language, plan.timing) if variant not in ("V0", "W0", "pause")]
    parts += [f"execute{plan.execute}"] if plan.execute else []
    return Path("runs") / "-".join(re.sub(r"[^\w.+]+", "_", part).strip("._") for part in parts)


def _what(plan: Plan) -> str:
    suites = ", ".join(sorted({task.suite for task in plan.tasks}))
    return f"{suites}: {_count(len(plan.tasks), 'task')}, {_count(len(plan), 'episode')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
