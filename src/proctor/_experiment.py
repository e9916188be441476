"""An experiment as data: what `proctor.evaluate` takes, what ``proctor run`` parses, and what a TOML file holds."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from proctor.core import ProctorError, did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One policy on some tasks under one set of conditions."""

    policy: Any
    """A policy object, a name (expert, noop, ...), ``package.module:Class``, or the URL of a server."""
    tasks: tuple[str, ...]
    """Suites, parts of task ids, folders or files of tasks."""
    policy_args: dict[str, Any] = field(default_factory=dict)
    """Keyword arguments of the policy, as JSON values."""
    name: str | None = None
    """What rows and reports call the policy; otherwise the name in its spec, or as it was named."""
    episodes: int = 10
    """Episodes of each task."""
    levels: str | tuple[str, ...] | None = None
    """Only these levels: ``"L0,L1"`` or ``("L0", "L1")``."""
    include: tuple[str, ...] = ()
    """Classes of tasks that are left out by default: ``hard``."""
    seed: int = 0
    """Decides every layout; equal for all policies."""
    limit: int | None = None
    """Stop after so many episodes of the plan."""
    shard: str | None = None
    """Only part I of N of the episodes, as ``"2/8"``."""
    workers: int | None = None
    """Processes with an environment (None: 1, or every CPU of the Ray cluster); each has a policy of its own, unless
    that is an object or a server."""
    envs_per_worker: int = 1
    """Episodes at a time in each process, for objects, servers and policies with ``act_batch``."""
    ray: str | None = None
    """Workers on a Ray cluster: its address, ``"auto"``, or ``"local"`` for one of this host."""
    replicas: int = 0
    """With ``ray``: serve the policy so many times there, on a GPU each if there are any."""
    out: Path | None = None
    """The run folder. A folder that holds a part of the same experiment is completed."""
    max_steps: int | None = None
    """Control steps allowed; None as the suite says."""
    success: Literal["hold", "any_step"] | None = None
    """Goal must hold for 10 steps, or be true at any one; None: hold, and any_step with ``compat="paper"``."""
    compat: Literal["corrected", "paper"] = "corrected"
    """Corrected definitions, or the papers' own."""
    vision: str = "V0"
    """Pictures: V0 as they are, V1 light, V2 + colours, V3 + camera, V4 + noise."""
    instruction: Literal["correct", "none", "wrong", "shuffled", "wrong_object", "antonym", "punctuation"] = "correct"
    """The task's own text, or a control in its place."""
    language: str = "W0"
    """Words replaced by neighbours in WordNet: W0 none to W4 four."""
    substitutes: Literal["auto", "lexicon"] = "auto"
    """Where those words come from: installed WordNet if there is one, or our lexicon only."""
    paraphrases: Path | None = None
    """A file of paraphrases, each of which is sent once."""
    timing: Literal["pause", "charge"] = "pause"
    """The world waits for the policy, or goes on while it thinks."""
    latency: str | None = None
    """With ``timing="charge"``: seconds per request, or ``"measured"``."""
    execute: int | None = None
    """Actions of each chunk to execute before asking again; None: all."""
    clip_actions: bool = False
    """Clip actions to [-1, 1] and count them, instead of an error."""
    policy_timeout: float = 60.0
    """Seconds allowed for each answer of the policy."""
    video: Literal["none", "all", "failures"] = "none"
    """Which episodes to film."""
    video_cameras: str | tuple[str, ...] = ()
    """Cameras of the films, side by side; none: the first."""
    record_steps: bool = False
    """Keep the actions, for the replay policy."""
    trace: bool = False
    """Keep what the policy was really sent and answered, request by request."""
    trace_episodes: int = 1
    """With ``trace``: of so many episodes of each task, the first ones."""
    trace_requests: int = 32
    """With ``trace``: so many requests of each of those; one with two pictures of 256 x 256 takes 0.05 to 0.2 MB."""
    until_resolved: Path | None = None
    """Stop once it is settled who is better: this policy or the one of that run folder."""
    alpha: float = 0.05
    """With ``until_resolved``: chance of a wrong verdict, however early."""
    env: str = "proctor.sim:SimEnv"
    """The environment, as ``package.module:Class``."""
    env_args: dict[str, Any] = field(default_factory=dict)
    """Keyword arguments of the environment."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "tasks", _several(self.tasks))
        put(self, "include", _several(self.include))
        put(self, "video_cameras", _several(self.video_cameras))
        for name in ("out", "paraphrases", "until_resolved"):
            value = getattr(self, name)
            put(self, name, None if value is None else Path(value))
        for name in ("policy_args", "env_args"):
            put(self, name, _plain(getattr(self, name), name))
        if not self.tasks:
            raise ProctorError("no task: name a suite, as in arena/static_obstacles ('proctor ls' lists them)")
        if self.max_steps is not None and self.max_steps < 1:
            raise ProctorError(f"--max-steps is {self.max_steps}: it must be at least 1")
        if self.execute is not None and self.execute < 1:
            raise ProctorError(f"--execute is {self.execute}: it must be at least 1")
        if self.latency is not None and self.timing == "pause":
            raise ProctorError("--latency needs --timing charge: under pause the world waits for the policy")
        if self.shard is not None and self.until_resolved is not None:
            raise ProctorError("--until-resolved judges the episodes in the order of the whole plan: leave out --shard")

        for name in ("trace_episodes", "trace_requests"):
            if getattr(self, name) < 1:
                raise ProctorError(f"--{name.replace('_', '-')} is {getattr(self, name)}: it must be at least 1")
        if self.replicas and self.ray is None:
            raise ProctorError("--replicas needs --ray: on one host, use 'proctor serve --replicas'")
        if self.ray is not None and self.is_object:
            raise ProctorError("an object stays in this process: for Ray name the policy, as package.module:Class")

    @property
    def is_object(self) -> bool:
        """Whether the policy is an object of this process."""
        return not isinstance(self.policy, str)

    def describe(self) -> dict[str, Any]:
        """Return the fields as JSON values; an object is described by None, since nobody can name it later."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        values["policy"] = None if self.is_object else self.policy
        # run.json is for everyone to read.
        values["policy_args"] = {key: "..." if key == "token" else value for key, value in self.policy_args.items()}
        return {
            name: str(value) if isinstance(value, Path) else list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any], where: str) -> Experiment:
        """Make an experiment of plain values, as a file or a command line gives them; ``where`` begins each error."""
        import msgspec

        known = [item.name for item in fields(cls)]
        for name in values:
            if name not in known:
                raise ProctorError(f"{where}: unknown key {name!r}{did_you_mean(name, known)}")
        for name, what in (("policy", 'policy = "package.module:Class"'), ("tasks", 'tasks = "arena"')):
            if not values.get(name):
                raise ProctorError(f"{where}: no {name}; write {what}")
        given = dict(values)
        for name in ("tasks", "include"):
            if isinstance(given.get(name), str):
                given[name] = [given[name]]
        try:
            made: Experiment = msgspec.convert(given, cls, dec_hook=_path)
        except msgspec.ValidationError as error:
            what, _, place = str(error).partition(" - at `$.")
            raise ProctorError(f"{where}: {place.rstrip('`') or 'a value'}: {what}") from None
        return made


def read_experiment(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what a TOML file says of an experiment, as plain values for `Experiment.from_values`."""
    try:
        values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ProctorError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    known = [item.name for item in fields(Experiment)]
    for name in values:
        if name not in known:
            raise ProctorError(f"{path}: unknown key {name!r}{did_you_mean(name, known)}")
    return values


def _path(kind: type, value: Any) -> Any:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise ValueError(f"Expected a path, got {value!r}")


def _several(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(map(str, value))


def _plain(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return arguments as they come back from JSON: they are part of what an episode is known by."""
    try:
        plain: dict[str, Any] = json.loads(json.dumps(dict(values), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ProctorError(f"{name} must be JSON values: {error}; build the object and pass it instead") from None
    return plain
