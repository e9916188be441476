"""What the referee says of the bench: every task, many episodes, the words read by a stranger.

    python benchmarks/knowledge_referee.py                    # 200 episodes of every task
    python benchmarks/knowledge_referee.py 20 select_fruit    # 20 episodes of one
    python benchmarks/knowledge_referee.py 200 --tracks       # every .bench file of the tracks
    python benchmarks/knowledge_referee.py 20 --wrong         # goals made wrong: how many of them the referee lets pass

Prints one line per task, with the first verdicts that are not clean, and docs/reference/tables/knowledge_facts.md. Exit
status 1 if anything is ambiguous, in disagreement or not understood (``--wrong``: if anything passes).

A goal is made wrong by putting another thing of the same sort in the place of one it names, or, where it names all of
a sort, by exchanging two that look different.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from proctor.core import episode_seed
from proctor.tasks.cbddl import parse
from proctor.tasks.knowledge import KnowledgeError, draw, drawable, knowledge_task

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(next((ROOT / "tests").rglob("referee")).parent))

from referee import Thing, judge, labels_of, scene_of  # noqa: E402

EPISODES = 200
SUITES = ROOT / "src" / "proctor" / "tasks" / "suites" / "knowledge"
KINDS = {"P": "primitive", "C": "composite"}
_GOAL = re.compile(r"\(:goal .*\)\n")


def main(args: list[str]) -> int:
    """Judge the tasks that are named, or all."""
    tracks, wrong = "--tracks" in args, "--wrong" in args
    args = [arg for arg in args if not arg.startswith("--")]
    episodes = int(args[0]) if args else EPISODES
    sources = args[1:] or ([str(path) for path in sorted(SUITES.glob("track*/**/*.bench"))] if tracks else drawable())
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    for source in sources:
        counts, shown = judged(source, episodes, wrong=wrong)
        print(f"{source}: {dict(counts)}", *shown[:2], sep="\n  ", flush=True)
        name = Path(source).parts[-3] if tracks else KINDS[knowledge_task(source).id[0]]
        tally[name] += counts
        tally[name]["tasks"] += 1
    words = ("tasks", "agree", "ambiguous", "disagree", "unread", "not drawn")
    print(f"\n| part | {' | '.join(words)} |\n|{'---|' * (len(words) + 1)}")
    for name, counts in tally.items():
        print(f"| {name} | {' | '.join(f'{counts[word]:,}' for word in words)} |")
    bad = ("agree",) if wrong else words[2:]
    return int(any(counts[word] for counts in tally.values() for word in bad))


def judged(source: str, episodes: int, *, wrong: bool) -> tuple[Counter[str], list[str]]:
    """Return the verdicts on a task's first episodes, and those that are not what they should be."""
    counts: Counter[str] = Counter()
    shown: list[str] = []
    for episode in range(episodes):
        try:
            text = draw(source, episode_seed(0, source, episode), episode).text
        except KnowledgeError as error:
            counts["not drawn"] += 1
            shown.append(str(error))
            continue
        for one in made_wrong(text) if wrong else [text]:
            verdict = judge(parse(one, f"episode {episode}"))
            counts[verdict.word] += 1
            if (verdict.word == "agree") == wrong:
                shown.append(f"{episode}: {verdict}")
    return counts, shown


def made_wrong(text: str) -> Iterator[str]:
    """Yield the text with goals that ask for something else."""
    right = parse(text, "right")
    scene = scene_of(right)
    goal = _GOAL.search(text)
    assert goal is not None
    named = [thing for thing in scene.things if re.search(rf"\b{thing.name}\b", goal[0])]
    for one, other in product(named, scene.things):
        if one.category != other.category or _twins(one, other):
            continue
        wrong = text[: goal.start()] + _exchanged(goal[0], one.name, other.name) + text[goal.end() :]
        if set(labels_of(parse(wrong, "wrong").goal)) != set(labels_of(right.goal)):
            yield wrong


def _twins(one: Thing, other: Thing) -> bool:
    """Return whether only their places tell two things apart; buttons are told by what they stand before."""
    return one.name == other.name or (one.looks == other.looks and one.category in ("mahjong", "number_cube"))


def _exchanged(goal: str, one: str, other: str) -> str:
    names = {one: other, other: one}
    return re.sub(rf"\b({one}|{other})\b", lambda found: names[found[0]], goal)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
