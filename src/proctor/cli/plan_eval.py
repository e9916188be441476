"""``proctor plan-eval``: ask a vision-language model for plans and say how good they are."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from proctor.planning import ModelSettings
    from proctor.planning.exam import ExamTally
    from proctor.report import PlanSummary
    from proctor.results import RunFolder
    from proctor.run.plan import Plan

INTERRUPTED = 130
_LEAST_TOKENS = {False: 1024, True: 4096}


def plan_eval(
    selectors: Annotated[
        list[str],
        typer.Argument(metavar="SUITE", help="Suite, part of a task id, or a folder or file of tasks."),
    ],
    model: Annotated[
        str,
        typer.Option(
            "--model",
            "-m",
            help="http://host:port/v1 of a chat endpoint, package.module:callable, or FILE.jsonl of answers.",
        ),
    ],
    model_name: Annotated[str, typer.Option(help="What the endpoint calls the model.")] = "",
    api_key_env: Annotated[
        str, typer.Option(metavar="NAME", help="Environment variable that holds the endpoint's key.")
    ] = "PROCTOR_ENDPOINT_KEY",
    episodes: Annotated[int, typer.Option("--episodes", "-n", help="Questions of each task.")] = 5,
    levels: Annotated[str | None, typer.Option(help="Only these levels, as in L0,L1.", show_default="all")] = None,
    include: Annotated[
        list[str] | None, typer.Option(help="Also tasks that are left out by default, as in hard.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides every layout; equal for all models.")] = 0,
    shots: Annotated[int, typer.Option(help="Worked examples before each question.")] = 1,
    shots_from: Annotated[
        Literal["other", "any"], typer.Option(help="Examples of other tasks only, or also of the question's own.")
    ] = "other",
    shot_seed: Annotated[int, typer.Option(help="Decides which examples are shown.")] = 0,
    cot: Annotated[bool, typer.Option("--cot", help="Ask for reasoning before the plan.")] = False,
    prompt_language: Annotated[Literal["en", "zh"], typer.Option(help="Language of the prompt.")] = "en",
    skills: Annotated[Literal["full", "compat"], typer.Option(help="All 15 skills, or the 9 of VLABench.")] = "full",
    views: Annotated[str, typer.Option(help="Cameras, each clean and marked.")] = "head,left,right,agentview",
    execute_: Annotated[
        Literal["symbolic", "physics"],
        typer.Option("--execute", help="Judge plans by rules only, or also play them and the reference by the skills."),
    ] = "symbolic",
    concurrency: Annotated[int, typer.Option("--concurrency", "-c", help="Questions out at a time.")] = 4,
    timeout: Annotated[float, typer.Option(help="Seconds allowed for each answer.")] = 120.0,
    retries: Annotated[int, typer.Option(help="How often a busy or silent endpoint is asked again.")] = 4,
    max_tokens: Annotated[
        int | None, typer.Option(help="Longest answer.", show_default="1024; 4096 with --cot")
    ] = None,
    temperature: Annotated[float, typer.Option(help="Sampling temperature.")] = 0.0,
    model_seed: Annotated[int | None, typer.Option(help="Seed that the endpoint is given.")] = None,
    price_in: Annotated[float | None, typer.Option(help="Price of a million tokens in.")] = None,
    price_out: Annotated[float | None, typer.Option(help="Price of a million tokens out.")] = None,
    limit: Annotated[int | None, typer.Option(help="Stop after so many questions of the plan.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Run folder.", show_default="runs/plan-SUITE-MODEL-SEED")
    ] = None,
) -> None:
    """Ask a model to plan every selected task, from marked pictures, and score its plans.

    The same command again resumes: answers are kept, questions that ended in an error are asked again.

    Exit code: 0 all answered, 1 some ended in an error, 2 a mistake in the command, 130 interrupted.
    """
    from proctor.core import ProctorError
    from proctor.planning import ModelSettings, PromptOptions, load_model
    from proctor.planning.exam import EvalOptions, ShotOptions, evaluate, play_plans
    from proctor.report import summarise_plans, write_report
    from proctor.results import RunFolder, read_episodes
    from proctor.run.plan import Plan, plan_tasks
    from proctor.sim import CAMERAS

    cameras = tuple(dict.fromkeys(part for part in re.split(r"[,\s]+", views) if part))
    if not cameras or not set(cameras) <= set(CAMERAS):
        raise ProctorError(f"--views {views!r}: choose from {', '.join(CAMERAS)}")
    longest = _LEAST_TOKENS[cot] if max_tokens is None else max_tokens
    if longest < 1:
        raise ProctorError(f"--max-tokens is {longest}: it must be at least 1")
    if not 0.0 <= temperature < float("inf"):
        raise ProctorError(f"--temperature is {temperature:g}: it must be at least 0")
    settings = ModelSettings(model_name, api_key_env, timeout, retries, 1.0, longest, temperature, model_seed)
    _refuse_a_key(api_key_env, model)
    for name, price in (("--price-in", price_in), ("--price-out", price_out)):
        if price is not None and not 0.0 <= price < float("inf"):
            raise ProctorError(f"{name} is {price:g}: it must be at least 0")
    asked = load_model(model, settings)
    asking = {
        "max_tokens": longest,
        "temperature": temperature,
        "model_seed": model_seed,
        "shots": shots,
        "shots_from": shots_from,
        "shot_seed": shot_seed,
        "cot": cot,
        "prompt_language": prompt_language,
        "skills": skills,
        "views": ",".join(cameras),
    }
    plan = Plan(
        tasks=plan_tasks(selectors, levels=levels, include=include or ()),
        episodes=episodes,
        seed=seed,
        policy=asked.name,
        policy_args=asking,
        limit=limit,
    )
    options = EvalOptions(
        PromptOptions(prompt_language, cot, skills),
        ShotOptions(shots, shot_seed, shots_from == "any"),
        cameras,
        concurrency,
        (price_in, price_out),
    )
    path = out or Path("runs") / f"plan-{_slug(selectors[0])}-{_slug(asked.name)}-{seed}"
    with RunFolder(path) as folder:
        _begin(folder, plan, _host(model))
        with _progress(f"{asked.name} plans {len(plan)} questions of {len(plan.tasks)} tasks") as progress:
            tally = evaluate(plan, asked, folder, options, progress)
            if execute_ == "physics" and not tally.interrupted:
                play_plans(plan, folder, progress)
        folder.compact()
    rows = read_episodes(path)
    _print(summarise_plans(rows))
    if rows:
        typer.echo(f"Report: {write_report([path])}")
    _leave(tally, path, settings)


def _begin(folder: RunFolder, plan: Plan, endpoint: str) -> None:
    """Write ``run.json``; refuse a folder that holds answers to other questions, or to these asked in another way."""
    import json

    from proctor import __version__
    from proctor.core import ProctorError
    from proctor.results import now, read_run

    described = json.loads(json.dumps(plan.describe()))
    before = read_run(folder.path) if folder.resumed else {}
    if before and len(folder.ledger):
        known = before.get("plan", {})
        apart = [key for key in described if known.get(key) != described[key] and key not in ("policy_args", "limit")]
        apart = [f"{key} {known.get(key)!r}"[:80] for key in apart if key != "tasks"] + ["tasks"] * ("tasks" in apart)
        told = known.get("policy_args", {})
        apart += [f"{key} {told.get(key)!r}" for key in plan.policy_args if told.get(key) != plan.policy_args[key]]
        if before.get("kind") != "plan" or apart:
            was = ", ".join(apart[:3]) or "of 'proctor run'"
            raise ProctorError(f"{folder.path} holds another run ({was}); choose another --out")
    folder.write_run(
        {
            "proctor": __version__,
            "kind": "plan",
            "created": before.get("created") or now(),
            "updated": now(),
            "command": ["proctor", *sys.argv[1:]],
            "endpoint": endpoint,
            "plan_hash": plan.plan_hash,
            "plan": described,
        }
    )


def _refuse_a_key(name: str, model: str) -> None:
    """A key among the arguments would end up in the run folder's record of the command."""
    from urllib.parse import urlsplit

    from proctor.core import ProctorError

    try:
        parts = urlsplit(model) if model.startswith(("http://", "https://")) else None
        nowhere = parts is not None and (not parts.hostname or parts.port == 0)
    except ValueError as error:
        raise ProctorError(f"--model: no address: {error}") from None
    if parts is not None and (parts.username or parts.password or parts.query or parts.fragment):
        raise ProctorError(f"--model: an address holds no user, password or query; the key goes into ${name}")
    if nowhere:
        raise ProctorError(f"--model {model}: no address: write http://host:port/v1")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", name) or name.lower().startswith(("sk_", "key_")):
        raise ProctorError("--api-key-env takes the name of an environment variable, not the key itself")


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", text).strip("-.") or "x"


def _host(model: str) -> str:
    """Return where a model was asked, without anything that a URL may carry besides."""
    from urllib.parse import urlsplit

    parts = urlsplit(model)
    return f"{parts.scheme}://{parts.hostname}" if parts.hostname else model


def _progress(title: str) -> Any:
    from ._progress import progress_for

    return progress_for(title)


def _print(summary: PlanSummary) -> None:
    from ._progress import print_plan_summary

    print_plan_summary(summary)


def _leave(tally: ExamTally, folder: Path, settings: ModelSettings) -> None:
    """Say how the run ended, and end with the exit code that belongs to it."""
    if tally.unfit:
        typer.echo(f"{tally.unfit} questions were left out: their tasks are no planning problems", err=True)
    if tally.gave_up:
        typer.echo(f"gave up: {tally.gave_up}; the same command goes on where this stopped", err=True)
    if tally.interrupted:
        typer.echo(f"interrupted: the answers are kept in {folder}; run the same command again to go on", err=True)
        raise typer.Exit(INTERRUPTED)
    if tally.errors:
        if not tally.gave_up:
            told = "1 question" if tally.errors == 1 else f"{tally.errors} questions"
            typer.echo(f"{told} ended in an error, the last: {tally.error}; the same command asks again", err=True)
        raise typer.Exit(1)
