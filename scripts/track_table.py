"""Run three policies on the seven tracks of `knowledge`; write what they reach into docs/explanation/knowledge.md.

    python scripts/track_table.py                    # 6 episodes of each task, 420 a policy; again resumes
    python scripts/track_table.py -n 20 --workers 8  # more certain, the same page

The policies are the scripted expert (what the arm can do), ``rules`` (an agent that grounds the words of the request
among the names it is told, and knows nothing) and random actions. The page is changed between two marks; ``--out``
keeps the runs, a folder per policy and track.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from proctor.report import ScoreChange, Scored, ScorePage, read_scores

PAGE = Path(__file__).resolve().parents[1] / "docs" / "explanation" / "knowledge.md"
MARKS = ("<!-- written by scripts/track_table.py -->", "<!-- end of what scripts/track_table.py writes -->")
TRACKS = tuple(f"knowledge/track{i}" for i in range(1, 8))
POLICIES = {"expert": "expert", "rules": "proctor.policies.agents:RuleAgent", "random": "random"}


def main() -> None:
    """Run what has not run yet, then write the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-n", "--episodes", type=int, default=6, help="episodes of each task")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs/tracks"))
    parser.add_argument("--page", type=Path, default=PAGE)
    args = parser.parse_args()
    folders = []
    for (name, policy), track in product(POLICIES.items(), TRACKS):
        folders.append(args.out / name / track.rpartition("/")[2])
        command = [sys.executable, "-m", "proctor", "run", track, "-p", policy, "--name", name]
        command += ["-n", str(args.episodes), "-o", str(folders[-1]), "--workers", str(args.workers)]
        if subprocess.run(command, check=False).returncode:
            sys.exit(f"track_table: {' '.join(command[1:])} failed; the page is as it was")
    text = args.page.read_text(encoding="utf-8")
    args.page.write_text(replaced(text, section(read_scores(folders), args.episodes)), encoding="utf-8")


def replaced(text: str, written: str) -> str:
    """Return ``text`` with what stands between the marks replaced."""
    before, begin, rest = text.partition(MARKS[0])
    _, end, after = rest.partition(MARKS[1])
    if not begin or not end:
        sys.exit(f"track_table: the page has no lines {MARKS[0]!r} and {MARKS[1]!r}")
    return f"{before}{begin}\n{written}{end}{after}"


def section(found: ScorePage, episodes: int) -> str:
    """Return both tables: what each policy reaches in each track, and how that changes on shared scenes."""
    n = sum(scored.scores["success"].n for _, members in found.suites for scored in members[:1])
    intro = (
        f"\n{episodes} episodes of each of the ten tasks of a track, {n} a policy, seed 0. Each cell: success with the "
        "95 % interval of\nits mean over tasks, then mean progress and intention.\n\n"
    )
    changes = (
        "\nChange of success from track 1 in pairs of one family (the same scene; in track 2 with its things "
        "exchanged, in track 5 with\nanother task; track 6 has no pair): difference, 95 % interval, p by sign flips, "
        "Holm over all pairs of tracks and all\npolicies.\n\n"
    )
    return intro + "\n".join(_reached(found)) + "\n" + changes + "\n".join(_changed(found)) + "\n\n"


def _reached(found: ScorePage) -> Iterator[str]:
    yield f"| track | {' | '.join(POLICIES)} |"
    yield "|---|" + "---|" * len(POLICIES)
    for suite, members in found.suites:
        by_name = {scored.arm.policy: scored for scored in members}
        yield f"| {_number(suite)} | {' | '.join(_cell(by_name[name]) for name in POLICIES)} |"


def _cell(scored: Scored) -> str:
    success = scored.scores["success"]
    low, high = success.interval
    parts = f"{scored.scores['progress'].rate:.2f}, {scored.scores['intention'].rate:.2f}"
    return f"{round(success.rate * success.n)}/{success.n} ({low:.2f} to {high:.2f}); {parts}"


def _changed(found: ScorePage) -> Iterator[str]:
    shared = [change for change in found.changes if change.score == "success" and change.first == TRACKS[0]]
    seconds = sorted({change.second for change in shared})
    yield f"| policy | {' | '.join(f'1 → {_number(suite)}' for suite in seconds)} |"
    yield "|---|" + "---|" * len(seconds)
    for name in POLICIES:
        mine = [change for suite in seconds for change in shared if (change.policy, change.second) == (name, suite)]
        yield f"| {name} | {' | '.join(map(_difference, mine))} |"


def _difference(change: ScoreChange) -> str:
    low, high = change.interval
    p = "p < 0.001" if change.p < 0.001 else f"p {change.p:.3f}"
    return f"{change.change:+.2f} ({low:+.2f} to {high:+.2f}), {p}"


def _number(suite: str) -> str:
    return suite.removeprefix("knowledge/track")


if __name__ == "__main__":
    main()
