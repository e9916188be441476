"""The comparison of a report's arms: one sentence, two tables, and plots for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from proctor.record.importers import trials_of
from proctor.stats import Comparison, EpisodeRow, StatsError, compare, operations

from ._load import Arm
from .plots import PlotError, write_comparison

CAPTIONS = {
    "cdf": "Share of episodes done by a time, with 95 % bands.",
    "forest": "Differences between policies, with 95 % intervals.",
    "letters": "Policies that share a letter are not resolved from one another.",
    "pp": "Share done by each policy against the best one, at equal times.",
    "qq": "Time each policy needs against the best one, for equal shares.",
    "horizon": "Units per hour against time between failures, as the horizon grows: it must be chosen.",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the report says about its arms, and the files of its plots with their captions."""

    comparison: Comparison
    plots: tuple[tuple[str, str], ...]
    no_plots: str


def judge(arms: Sequence[Arm], target: Path) -> Judgement | str | None:
    """Compare the arms and write the plots into ``target/plots``.

    None for a single arm; a line that says why for arms that cannot be compared.
    """
    if len(arms) < 2:
        return None
    try:
        sides = {
            arm.label: operations([EpisodeRow(**row) for row in trials_of(arm.episodes, arm.label).rows])
            for arm in arms
        }
        found = compare(sides)
    except StatsError as error:
        return str(error)
    try:
        files = write_comparison(found, sides, target / "plots")
    except PlotError as error:
        return Judgement(found, (), str(error))
    return Judgement(found, tuple((f"plots/{file.name}", CAPTIONS[file.stem]) for file in files), "")
