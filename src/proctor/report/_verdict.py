"""The comparison of a report's arms: one sentence, two tables, and plots for a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from proctor.analysis.stats import Comparison, EpisodeRow, Operations, StatsError, compare, detection_curve, operations
from proctor.results.importers import trials_of

from ._load import Arm
from ._safe_pairs import SafePair, safe_pairs
from .plots import PlotError, plot_detection, save, write_comparison

CAPTIONS = {
    "cdf": "Share of episodes done by a time, with 95 % bands: the higher curve is the better one.",
    "forest": "Differences between policies, with 95 % intervals: an interval across 0 leaves open who is better.",
    "letters": "Success with 95 % intervals; policies that share a letter are not resolved from one another.",
    "pp": "Share done by each policy against the best one, at equal times: below the diagonal, the best one leads.",
    "qq": "Time that each policy needs against the best one, for equal shares: above the diagonal it is slower.",
    "detection": "How often smaller samples would tell the two apart; equal policies stay inside the grey envelope.",
    "horizon": "Successes per hour of robot time against time between failures, for time limits from an eighth of the "
    "longest (where a line begins) to the longest (its dot): no limit is right by itself, so say which you chose.",
}


# A detection curve needs samples smaller than the data; below this many episodes of each task there are none.
LEAST_PER_TASK = 5
MOST_PER_TASK = 30


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the report says about its arms, and the files of its plots with their captions."""

    comparison: Comparison
    safety: tuple[SafePair, ...]
    plots: tuple[tuple[str, str], ...]
    no_plots: str


def judge(arms: Sequence[Arm], target: Path) -> Judgement | str | None:
    """Compare the arms and write the plots into ``target/plots``.

    None for a single arm; a line that says why for arms that cannot be compared.
    """
    if len(arms) < 2:
        return None
    try:
        trials = [trials_of(arm.episodes, arm.label) for arm in arms]
        timed = all(read.has_times for read in trials)
        sides = {
            arm.label: operations([EpisodeRow(**row) for row in read.rows])
            for arm, read in zip(arms, trials, strict=True)
        }
        found = compare(sides, intervals=timed)
    except StatsError as error:
        return str(error)
    safety = safe_pairs({arm.label: arm.episodes for arm in arms})
    try:
        files = write_comparison(found, sides, target / "plots", timed=timed)
        files += _detection(arms, sides, found.tau, target / "plots")
    except PlotError as error:
        return Judgement(found, safety, (), str(error))
    return Judgement(found, safety, tuple((f"plots/{file.name}", CAPTIONS[file.stem]) for file in files), "")


def _detection(arms: Sequence[Arm], sides: Mapping[str, Operations], tau_s: float, folder: Path) -> list[Path]:
    """Write the detection curve of two arms with enough episodes of every task they share."""
    if len(arms) != 2:
        return []
    counts = [Counter(row.spec.task for row in arm.episodes if row.status == "completed") for arm in arms]
    shared = counts[0].keys() & counts[1].keys()
    least = min(min(count[task] for task in shared) for count in counts)
    if least < LEAST_PER_TASK:
        return []
    sizes = sorted({round(n) for n in np.linspace(2, min(least, MOST_PER_TASK), 6)})
    first, second = (sides[arm.label] for arm in arms)
    curve = detection_curve(first, second, sizes=sizes, tau=tau_s, trials=60, n_resamples=99)
    title = f"{arms[0].label} and {arms[1].label}"
    return [save(plot_detection(curve, title=title), folder / "detection.svg")]
