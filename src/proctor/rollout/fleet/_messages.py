"""What a coordinator and its agents say to each other: one msgpack map, and at most one block of bytes after it.

| from agent | means |
|---|---|
| ``hello`` | token, versions, host, capacity: may I take part? |
| ``ready`` | specs of the policy and environment that I built |
| ``failed`` | I cannot build them (one line) |
| ``beat`` | I am alive |
| ``file`` | a piece of a video or steps file of an episode |
| ``row`` | an episode has ended; its files came before |
| ``bye`` | I leave; what I hold is yours again |

| from coordinator | means |
|---|---|
| ``welcome`` | the job: what to build and how to run |
| ``refuse`` | go away (one line) |
| ``lease`` | episodes to run, and the task files that the agent has not seen |
| ``drop`` | others have finished these |
| ``ack`` | the row is on record |
| ``ping`` | I am alive |
| ``again`` | I do not know you (any more): say hello |
| ``done`` | the run is over |

A connection is a session: whoever reconnects says hello again. Nothing here is pickled, and the socket refuses a frame
above `MAX_FRAME` before it is read.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgpack

from proctor.core import EnvSpec, EpisodeSpec, PolicySpec

from .._options import EpisodeOptions, RunOptions
from .._worker import Assignment, Job

VERSION = 1
MAX_FRAME = 8 * 2**20
# What is read of a peer that has not said hello.
MAX_HELLO = 64 * 2**10
# A lease is cut where it would grow beyond this; a row above MAX_ROW cannot travel.
MAX_LEASE = 2 * 2**20
MAX_ROW = 6 * 2**20
CHUNK = 256 * 2**10
# Messages in flight per peer and direction: with CHUNK this bounds what a slow peer can hold in memory.
HIGH_WATER = 32

D = TypeVar("D")


class MalformedError(ValueError):
    """Bytes that are no message of ours, or a message that lacks what it needs."""


def pack(kind: str, body: bytes | None = None, /, **values: Any) -> list[bytes]:
    """Return the frames of a message."""
    header: bytes = msgpack.packb({"t": kind, **values}, use_bin_type=True)
    return [header] if body is None else [header, body]


def unpack(frames: Sequence[bytes]) -> dict[str, Any]:
    """Return a message as a map with its kind under ``t`` and its bytes, if any, under ``body``."""
    if not 1 <= len(frames) <= 2:
        raise MalformedError(f"{len(frames)} frames")
    try:
        value = msgpack.unpackb(frames[0], raw=False, strict_map_key=True)
    except Exception as error:  # msgpack raises many kinds on hostile bytes
        raise MalformedError(f"no msgpack: {error}") from None
    if not isinstance(value, dict) or not isinstance(value.get("t"), str):
        raise MalformedError("no message")
    if len(frames) == 2:
        value["body"] = frames[1]
    return value


def text(message: Mapping[str, Any], name: str, limit: int = 4096) -> str:
    """Return a text of the message, cut at ``limit`` and kept on one line."""
    value = message.get(name)
    if not isinstance(value, str):
        raise MalformedError(f"{name!r} is no text")
    return " ".join(value[:limit].split())


def number(message: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """Return a whole number of the message within its bounds."""
    value = message.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise MalformedError(f"{name!r} is no number from {low} to {high}")
    return value


def mapping(message: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a map of the message."""
    value = message.get(name)
    if not isinstance(value, dict):
        raise MalformedError(f"{name!r} is no map")
    return value


def as_map(value: Any) -> dict[str, Any]:
    """Return a frozen dataclass of ours as plain values; `rebuild` is the inverse."""
    return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}


def _plain(item: Any) -> Any:
    if isinstance(item, Mapping):
        return dict(item)
    return str(item) if isinstance(item, Path) else item


def rebuild(kind: type[D], values: Mapping[str, Any]) -> D:
    """Build a dataclass from what `as_map` returned; where msgpack made a list of a tuple it is a tuple again."""
    if not dataclasses.is_dataclass(kind):
        raise TypeError(f"{kind} is no dataclass")
    tuples = {field.name for field in dataclasses.fields(kind) if str(field.type).startswith("tuple")}
    try:
        return kind(**{name: tuple(item) if name in tuples else item for name, item in values.items()})
    except TypeError as error:
        raise MalformedError(f"{kind.__name__}: {error}") from None


def job_map(job: Job, options: RunOptions) -> dict[str, Any]:
    """Return what an agent needs to build its workers."""
    run = as_map(options)
    del run["workers"], run["env"], run["env_args"], run["episode"]
    episode = as_map(options.episode)
    del episode["out"]
    plain = {name: value for name, value in as_map(job).items() if name not in ("parent", "options")}
    return {"job": plain, "options": run, "episode": episode}


def rebuild_job(values: Mapping[str, Any], *, parent: int, workers: int, out: Path) -> tuple[Job, RunOptions]:
    """Return the job and options of `job_map`, for this host: its own parent, number of workers and scratch folder."""
    episode = rebuild(EpisodeOptions, {**mapping(values, "episode"), "out": out})
    job = rebuild(Job, {**mapping(values, "job"), "parent": parent, "options": episode})
    run = {
        **mapping(values, "options"),
        "workers": workers,
        "env": job.env,
        "env_args": job.env_args,
        "episode": episode,
    }
    return job, rebuild(RunOptions, run)


def assignment_map(assignment: Assignment) -> dict[str, Any]:
    """Return an assignment as plain values, with the id that the other side must find for it."""
    spec = assignment.spec
    return {"id": spec.episode_id, "attempt": assignment.attempt, "spec": as_map(spec)}


def rebuild_assignment(values: Mapping[str, Any]) -> Assignment:
    """Return the assignment; a spec that changed its id on the way is refused."""
    spec = rebuild(EpisodeSpec, mapping(values, "spec"))
    if spec.episode_id != values.get("id"):
        raise MalformedError(f"episode {values.get('id')} became {spec.episode_id} on the way")
    return Assignment(spec, number(values, "attempt", 1, 2**31))


def rebuild_specs(message: Mapping[str, Any]) -> tuple[PolicySpec, EnvSpec]:
    """Return the specs of a ``ready`` message."""
    return rebuild(PolicySpec, mapping(message, "policy")), rebuild(EnvSpec, mapping(message, "env"))
