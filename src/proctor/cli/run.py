"""``proctor run``: an experiment on the command line, and what is printed of it while it runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from proctor import Experiment

INTERRUPTED = 130

# heading of the help page: its options
PANELS = {
    "The policy": ("policy", "name", "policy_args", "policy_timeout", "execute", "clip_actions"),
    "What to run": ("episodes", "levels", "include", "seed", "limit"),
    "What is kept": ("out", "video", "video_cameras", "record_steps", "trace", "trace_episodes", "trace_requests"),
    "Conditions": ("max_steps", "success", "compat", "vision", "timing", "latency", "env", "env_args"),
    "What the policy is told": ("instruction", "language", "substitutes", "paraphrases"),
    "Stop early": ("until_resolved", "alpha"),
    "Processes and hosts": ("workers", "envs_per_worker", "shard", "ray", "replicas"),
}


def run(
    ctx: typer.Context,
    tasks: Annotated[
        list[str],
        typer.Argument(
            metavar="SELECTOR",
            help="Suite, part of a task id, or a folder or file of tasks; or a TOML file that says all of this.",
        ),
    ],
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            "-p",
            help="A name (expert, noop, random, ...), package.module:Class, or the URL of a server.",
            show_default=False,
        ),
    ] = None,
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
    trace: Annotated[
        bool, typer.Option("--trace", help="Keep what the policy was really sent and answered; the report shows it.")
    ] = False,
    trace_episodes: Annotated[int, typer.Option(help="With --trace: so many episodes of each task.")] = 1,
    trace_requests: Annotated[
        int, typer.Option(help="With --trace: so many requests of each episode, of 0.05 to 0.2 MB.")
    ] = 32,
    clip_actions: Annotated[
        bool, typer.Option("--clip-actions", help="Clip actions to [-1, 1] and count them, instead of an error.")
    ] = False,
    policy_timeout: Annotated[float, typer.Option(help="Seconds allowed for each answer of the policy.")] = 60.0,
    policy_args: Annotated[
        list[str] | None, typer.Option("--policy-arg", help="key=value for the policy; may be repeated.")
    ] = None,
    execute: Annotated[
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
    env_args: Annotated[
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

    The same command again resumes: completed episodes are kept, the others run. 'proctor run exam.toml' takes
    everything from a file, whose keys are the arguments of proctor.evaluate(); options go before what it says.

    Exit code: 0 all completed, 1 some ended in an error, 2 a mistake in the command, 130 interrupted.
    """
    from proctor._evaluate import prepare

    from ._progress import print_summary, progress_for
    from ._secrets import without_secrets

    examination = prepare(_experiment(ctx), note=lambda text: typer.echo(f"note: {text}", err=True))
    if examination.judge is not None and examination.judge.settled:
        typer.echo(examination.judge.state.sentence)
        return
    with progress_for(examination.title) as progress:
        run = examination.run(progress=progress, command=["proctor", *without_secrets(sys.argv[1:])])
    result, part = run.result, examination.options.shard
    assert result is not None
    if result.ran or result.skipped:
        print_summary(result)
    if part.parts > 1:
        typer.echo(f"part {part.part} of {part.parts}; once all have ended: proctor merge {examination.folder}")
    if result.interrupted:
        kept = f"{result.skipped + result.ran} of {result.planned} episodes are kept"
        typer.echo(f"interrupted: {kept} in {result.path}; run the same command again to go on", err=True)
        raise typer.Exit(INTERRUPTED)
    if run.verdict:
        typer.echo(run.verdict)
    if result.stopped_early:
        typer.echo("The same command without --until-resolved runs the rest of the plan.")
    if result.errors:
        raise typer.Exit(1)


def _experiment(ctx: typer.Context) -> Experiment:
    """Return what the command line says, over what its TOML file says."""
    from proctor._experiment import Experiment, read_experiment
    from proctor.core import ProctorError
    from proctor.policies import parse_arguments

    given: dict[str, Any] = dict(ctx.params)
    for name in ("policy_args", "env_args"):
        given[name] = parse_arguments(given[name] or (), f"--{name[:-1].replace('_', '-')}")
    for name in ("out", "paraphrases", "until_resolved"):
        given[name] = None if given[name] is None else str(given[name])
    given["include"] = given["include"] or []
    given["video_cameras"] = given["video_cameras"].split(",") if given["video_cameras"] else []
    first, *rest = given["tasks"]
    if not first.endswith(".toml"):
        if not given["policy"]:
            raise ProctorError("no policy: name one with --policy")
        return Experiment.from_values(given, "the command")
    said = {name for name in given if getattr(ctx.get_parameter_source(name), "name", "") == "COMMANDLINE"}
    values = {name: value for name, value in given.items() if name in said - {"tasks"}}
    return Experiment.from_values({**read_experiment(first), **values, **({"tasks": rest} if rest else {})}, first)
