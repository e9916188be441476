"""Rows of a run folder of ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .._episode import Episode
from .._store import read_episodes
from ._trial import ImportFileError, TrialRow, Trials, make_row


def read_run_folder(path: str | Path) -> Trials:
    """Read every episode's latest attempt; see `trials_of`."""
    episodes = read_episodes(path)
    if not episodes:
        raise ImportFileError(f"{path}: the run has no episodes yet")
    return trials_of(episodes, str(path))


def trials_of(episodes: Sequence[Episode], source: str) -> Trials:
    """Return episodes as trials: a task is a stratum, a layout (``pair_id``) is a pair.

    Times are simulated seconds: an episode is done at its success time, or censored at its end. Where an ``items``
    event says how many operations an episode offers (trials at the station), each has its own time. A plan takes
    no time: where there are plans, only success counts.
    """
    timed = all(episode.kind != "plan" for episode in episodes)
    rows = [
        _with_operations(
            episode,
            make_row(
                episode.episode_id,
                bool(episode.outcome.success),
                time_s=(episode.outcome.success_time_s if timed else 1.0) if episode.outcome.success else None,
                duration_s=episode.outcome.sim_time_s if timed else 1.0,
                stratum=_stratum(episode),
                policy=episode.policy.name,
                pair=episode.pair_id,
                status=episode.status,
            ),
        )
        for episode in episodes
    ]
    return Trials(tuple(rows), timed, source, tuple(episodes))


def _with_operations(episode: Episode, row: TrialRow) -> TrialRow:
    """Return the row with the times of ``operation`` and ``lost`` events; a ``safety_stop`` ends it for good."""
    items = next((round(event.value) for event in episode.outcome.events if event.kind == "items"), None)
    if items is None or episode.status != "completed":
        return row
    done, lost = (tuple(e.time_s for e in episode.outcome.events if e.kind == kind) for kind in ("operation", "lost"))
    full = len(done) + len(lost) >= items
    stopped = any(event.kind == "safety_stop" for event in episode.outcome.events)
    row["n_items"], row["success_times_s"], row["lost_times_s"] = items, done, lost
    row["ended"] = "done" if full else "safety" if stopped else "timeout"
    return row


def _stratum(episode: Episode) -> str:
    changed = (episode.language.variant, episode.vision.level)
    return " ".join((episode.spec.task, *(() if changed == ("W0", "V0") else changed)))
