"""What the probes make of the paraphrase set: grounding on all of it, success and PRIDE on a sample in simulation.

    python benchmarks/language_probes.py --out OUT [--per-cell 10] [--suite goal] [--workers 1] [--policies keyword,...]

Grounding needs no simulation, so it is exact over every text. The simulated part sends ``--per-cell`` texts of each
cell, spread over the tasks, and is resumable: the same command goes on where it stopped, another ``--per-cell`` has
folders of its own. 0 leaves the simulation out. Figures for docs/howto/pictures_and_words.md come from here.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from proctor.analysis.stats import cluster_interval
from proctor.analysis.words import Estimate, SentenceAttempt, pride_summary, score_pairs
from proctor.cli.paraphrase import source_tasks
from proctor.policies.probes import KeywordGrounding, NearestGrounding, ReferentCandidate
from proctor.policies.probes._grounding import vectors_named
from proctor.results import read_episodes
from proctor.tasks.words import CELLS, Paraphrase, generate, write_paraphrases

POLICIES = {
    "keyword": "proctor.policies.probes:KeywordPolicy",
    "nearest": "proctor.policies.probes:NearestPolicy",
    "noisy": "proctor.policies.probes:NoisyPolicy",
}


def sample(texts: Sequence[Paraphrase], per_cell: int) -> list[Paraphrase]:
    """Return ``per_cell`` texts of each cell, the tasks taking turns and each cell beginning with another."""
    queues: dict[object, dict[str, list[Paraphrase]]] = defaultdict(lambda: defaultdict(list))
    for text in texts:
        queues[text.cell][text.task].append(text)
    chosen = []
    for number, cell in enumerate(CELLS):
        tasks = sorted(queues[cell])
        turn = number
        for _ in range(min(per_cell, sum(map(len, queues[cell].values())))):
            while not queues[cell][tasks[turn % len(tasks)]]:
                turn += 1
            chosen.append(queues[cell][tasks[turn % len(tasks)]].pop(0))
            turn += 1
    return chosen


def grounded(texts: Sequence[Paraphrase]) -> dict[str, dict[object, list[bool]]]:
    """Return, by grounding and cell, whether each text is understood as its own task."""
    instructions = {text.original: text.task for text in texts}
    candidates = [ReferentCandidate(task, text, None) for text, task in instructions.items()]  # type: ignore[arg-type]
    said = [text.text for text in texts]
    keyword = KeywordGrounding()
    chosen = {
        "keyword": [keyword.choose(text, candidates) for text in said],
        "nearest": NearestGrounding(vectors_named("minilm")).choose_all(said, candidates),
    }
    found: dict[str, dict[object, list[bool]]] = {name: defaultdict(list) for name in chosen}
    for name, understood in chosen.items():
        for text, one in zip(texts, understood, strict=True):
            found[name][text.cell].append(one is not None and one.instruction == text.original)
    return found


def run(policy: str, suite: str, file: Path, out: Path, workers: int) -> None:
    words = ["run", suite, "--policy", POLICIES[policy], "--paraphrases", file, "-n", 1, "-w", workers, "--out", out]
    subprocess.run([sys.executable, "-m", "proctor", *map(str, words)], check=True)


def interval(columns, clusters, statistic, bounds):
    return cluster_interval(columns, clusters, statistic, bounds=bounds)


def summary(folder: Path) -> tuple[str, dict[tuple[str, str], list[bool]]]:
    """Return one line about a run and its successes by cell."""
    rows = [row for row in read_episodes(folder) if row.status == "completed"]
    attempts = [
        SentenceAttempt(
            row.language.instruction,
            row.language.sent,
            bool(row.outcome.success),
            row.spec.task,
            row.language.object_type,
            row.language.action_type,
        )
        for row in rows
    ]
    scores = score_pairs([(row.language.instruction, row.language.sent) for row in rows])
    result = pride_summary(attempts, scores, interval)
    cells: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in rows:
        cells[row.language.object_type, row.language.action_type].append(bool(row.outcome.success))
    told = ", ".join(f"{name} {_number(value)}" for name, value in (("SR", result.success), ("PRIDE", result.pride)))
    return f"{len(rows)} episodes, {told}", cells


def _number(value: Estimate) -> str:
    ends = "" if value.low is None or value.high is None else f" [{100 * value.low:.1f}, {100 * value.high:.1f}]"
    return f"{100 * value.estimate:.1f} %{ends}"


def share(values: Sequence[bool]) -> str:
    return f"{100 * sum(values) / len(values):.0f}" if values else ""


def print_grid(title: str, values: dict[tuple[str, str], list[bool]]) -> None:
    print(f"\n{title}\n")
    actions = list(dict.fromkeys(cell.action or "" for cell in CELLS))
    print("| object \\ action | " + " | ".join(action or "none" for action in actions) + " |")
    print("|---" * (len(actions) + 1) + "|")
    for thing in dict.fromkeys(cell.object or "" for cell in CELLS):
        cells = [share(values.get((thing, action), [])) for action in actions]
        print(f"| {thing or 'none'} | " + " | ".join(cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--suite", default="goal")
    parser.add_argument("--per-cell", type=int, default=10)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--policies", default=",".join(POLICIES))
    args = parser.parse_args()
    texts = generate(source_tasks([args.suite]), CELLS)
    write_paraphrases(texts, args.out / "all.csv")
    for name, cells in grounded(texts).items():
        plain = {(cell.object or "", cell.action or ""): values for cell, values in cells.items()}
        every = [value for values in plain.values() for value in values]
        print_grid(f"{name}: understood, % of {len(every)} texts (all: {share(every)})", plain)
    if args.per_cell == 0:
        return
    file = args.out / f"sample{args.per_cell}.csv"
    write_paraphrases(sample(texts, args.per_cell), file)
    for policy in args.policies.split(","):
        folder = args.out / f"{policy}-{args.per_cell}"
        run(policy, args.suite, file, folder, args.workers)
        line, cells = summary(folder)
        print_grid(f"{policy}: success, % ({line})", cells)


if __name__ == "__main__":
    main()
