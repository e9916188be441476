"""What the referee says of the bench: every task, many episodes, with the words read by a stranger.

    python benchmarks/referee.py                    # 200 episodes of every task
    python benchmarks/referee.py 20 select_fruit    # 20 episodes of one
    python benchmarks/referee.py 200 --tracks       # every .bench file of the tracks

Prints one line per task that is not clean and a table for docs/bench_knowledge.md. Exit status 1 if anything is
ambiguous, in disagreement or not understood.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path

from proctor.bench import BenchError, bench_task, draw, drawable
from proctor.bench.referee import Verdict, judge
from proctor.cbddl import parse
from proctor.plan import episode_seed

EPISODES = 200
SUITES = Path(__file__).parents[1] / "src" / "proctor" / "suites" / "bench"
# Which tasks a line of the table sums up.
KINDS = {"P": "primitive", "C": "composite"}


def main(args: list[str]) -> int:
    """Judge the tasks that are named, or all."""
    tracks = "--tracks" in args
    args = [arg for arg in args if arg != "--tracks"]
    episodes = int(args[0]) if args else EPISODES
    sources = args[1:] or ([str(path) for path in sorted(SUITES.glob("track*/**/*.bench"))] if tracks else drawable())
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    for source in sources:
        counts, shown = judged(source, episodes)
        clean = counts["agree"] == episodes
        print(f"{source}: {dict(counts)}" if not clean else f"{source}: {episodes}", *shown, sep="\n  ", flush=True)
        name = Path(source).parts[-3] if tracks else KINDS[bench_task(source).id[0]]
        tally[name] += counts
        tally[name]["tasks"] += 1
    words = ("tasks", "agree", "ambiguous", "disagree", "unread", "not drawn")
    print(f"\n| part | {' | '.join(words)} |\n|{'---|' * (len(words) + 1)}")
    for name, counts in tally.items():
        print(f"| {name} | {' | '.join(f'{counts[word]:,}' for word in words)} |")
    return int(any(counts[word] for counts in tally.values() for word in words[2:]))


def judged(source: str, episodes: int) -> tuple[Counter[str], list[str]]:
    """Return the verdicts on a task's first episodes, and the first two that are not clean."""
    counts: Counter[str] = Counter()
    shown: list[str] = []
    for episode in range(episodes):
        try:
            drawn = draw(source, episode_seed(0, source, episode), episode)
        except BenchError as error:
            counts["not drawn"] += 1
            shown.append(str(error))
            continue
        verdict: Verdict = judge(parse(drawn.text, f"{drawn.task}-{episode}"))
        counts[verdict.word] += 1
        if verdict.word != "agree":
            shown.append(f"{episode}: {verdict}")
    return counts, shown[:2]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
