"""The command that runs one episode again."""

from __future__ import annotations

import json
import shlex
from typing import Any

from ._load import Row

W_LEVELS = ("W1", "W2", "W3", "W4")
_DEFAULT_ENV = "proctor.sim:SimEnv"


def command_for(row: Row) -> str | None:
    """Return a command whose last episode is ``row``'s, or None where ``run.json`` does not say enough.

    An episode's seed follows from the run's seed, the task and the episode's number, so the command names the task and
    runs it up to that number.
    """
    episode = row.episode
    plan: dict[str, Any] = row.run.description.get("plan", {})
    seed = plan.get("seed")
    if seed is None:
        return None
    arguments: dict[str, Any] = row.run.description.get("arguments", {})
    if "policy" in arguments and arguments["policy"] is None:
        # An object of a program that has ended.
        return None
    address, name = episode.policy.address, episode.policy.name
    words = ["proctor", "run", _selector(plan, episode.spec.task), "--policy", address or name]
    words += ["--name", name] if address else []
    for name, value in plan.get("policy_args", {}).items():
        words += ["--policy-arg", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    if episode.language.variant == "paraphrase":
        if not arguments.get("paraphrases"):
            return None
        words += ["--paraphrases", str(arguments["paraphrases"]), "--limit", str(episode.spec.episode + 1)]
    words += ["--episodes", str(episode.spec.episode + 1), "--seed", str(seed)]
    for flag, given, default in (
        ("--success", episode.spec.success_rule, "hold"),
        ("--compat", episode.spec.compat, "corrected"),
        ("--vision", episode.vision.level, "V0"),
        ("--language" if episode.language.variant in W_LEVELS else "--instruction", episode.language.variant, "W0"),
    ):
        if given not in (default, "paraphrase"):
            words += [flag, given]
    if arguments.get("substitutes", "auto") != "auto":
        words += ["--substitutes", str(arguments["substitutes"])]
    words += _run_flags(arguments)
    words += ["--video", "all", "--out", f"runs/{episode.episode_id}"]
    return shlex.join(words)


def _run_flags(arguments: dict[str, Any]) -> list[str]:
    """Return the flags of the run, other than those above, that can change what happens in an episode."""
    words = []
    if arguments.get("max_steps"):
        words += ["--max-steps", str(arguments["max_steps"])]
    if arguments.get("clip_actions"):
        words += ["--clip-actions"]
    if arguments.get("env", _DEFAULT_ENV) != _DEFAULT_ENV:
        words += ["--env", str(arguments["env"])]
    for name, value in (arguments.get("env_args") or {}).items():
        words += ["--env-arg", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    return words


def _selector(plan: dict[str, Any], task: str) -> str:
    """Name the task: by its id if it is built in, by its file if it came from disk."""
    for entry in plan.get("tasks", []):
        if entry.get("task") == task and "/suites/" not in entry.get("path", "/suites/"):
            return str(entry["path"])
    return task
