"""Rows of a run folder of ours."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .._episode import Episode
from .._store import read_episodes
from ._trial import ImportFileError, Trials, make_row


def read_run_folder(path: str | Path) -> Trials:
    """Read every episode's latest attempt; see `trials_of`."""
    episodes = read_episodes(path)
    if not episodes:
        raise ImportFileError(f"{path}: the run has no episodes yet")
    return trials_of(episodes, str(path))


def trials_of(episodes: Iterable[Episode], source: str) -> Trials:
    """Return episodes as trials: a task is a stratum, a layout (``pair_id``) is a pair.

    Times are simulated seconds: an episode is done at its success time, or censored at its end.
    """
    rows = [
        make_row(
            episode.episode_id,
            bool(episode.success),
            time_s=episode.success_time_s if episode.success else None,
            duration_s=episode.sim_time_s,
            stratum=episode.task if episode.language == "W0" and episode.vision == "V0" else _cell(episode),
            policy=episode.policy,
            pair=episode.pair_id,
            status=episode.status,
        )
        for episode in episodes
    ]
    return Trials(tuple(rows), True, source)


def _cell(episode: Episode) -> str:
    return f"{episode.task} {episode.language} {episode.vision}"
