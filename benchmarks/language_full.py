"""Three probes over the whole paraphrase set, with each distinct episode played once.

    python benchmarks/language_full.py [--suite goal] [--layouts 5] [--noisy-layouts 30] [--policies noisy]

What the keyword and the nearest probe do depends on the layout and on the task they understand, on nothing else of a
text, and an episode repeats bit for bit (the certificate ``replay``). So every (task, task understood, layout) is
simulated once, and each text gets the outcome of its own triple; the texts of a task take turns on the layouts. The
noisy probe always understands; its hands are as unsteady for one text on a layout as for another, so it needs more
layouts, and its interval is over tasks.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence

from language_probes import interval, print_grid
from proctor.analysis.words import SentenceAttempt, pride_summary, score_pairs
from proctor.cli.paraphrase import source_tasks
from proctor.core import EpisodeSpec, episode_seed
from proctor.policies.probes import (
    GroundedPolicy,
    Grounding,
    KeywordGrounding,
    KeywordPolicy,
    NearestGrounding,
    NearestPolicy,
    NoisyPolicy,
    ReferentCandidate,
)
from proctor.policies.probes._grounding import vectors_named
from proctor.run.engine import run_episode
from proctor.sim import SimEnv
from proctor.tasks.suites import TaskRef, find
from proctor.tasks.words import CELLS, Paraphrase, generate

Triple = tuple[str, str, int]


def understood(grounding: Grounding | None, texts: Sequence[Paraphrase]) -> list[str]:
    """Return the task that each text is taken for, "" for none; without a grounding, its own."""
    if grounding is None:
        return [text.task for text in texts]
    instructions = {text.original: text.task for text in texts}
    candidates = [ReferentCandidate(task, text, None) for text, task in instructions.items()]  # type: ignore[arg-type]
    if isinstance(grounding, NearestGrounding):
        chosen = grounding.choose_all([text.text for text in texts], candidates)
    else:
        chosen = [grounding.choose(text.text, candidates) for text in texts]
    return ["" if one is None else one.task for one in chosen]


def play(policy: GroundedPolicy, env: SimEnv, ref: TaskRef, text: Paraphrase, layout: int) -> bool:
    """Return whether one episode succeeds."""
    spec = EpisodeSpec(
        suite=ref.suite,
        task=ref.id,
        level=ref.level,
        task_hash="",
        episode=layout,
        seed=episode_seed(0, ref.id, layout),
        instruction=text.original,
        policy=policy.name,
        max_steps=ref.max_steps,
        task_path=str(ref.path),
        sent=text.text,
    )
    return bool(run_episode(env, policy, spec).outcome.success)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", default="goal")
    parser.add_argument("--layouts", type=int, default=5)
    parser.add_argument("--noisy-layouts", type=int, default=30)
    parser.add_argument("--policies", default="keyword,nearest,noisy")
    args = parser.parse_args()
    texts = generate(source_tasks([args.suite]), CELLS)
    refs = {ref.id.split("@")[0]: ref for ref in find(args.suite)}
    scores = score_pairs([(text.original, text.text) for text in texts])
    probes = [
        (KeywordPolicy(), KeywordGrounding(), args.layouts),
        (NearestPolicy(), NearestGrounding(vectors_named("minilm")), args.layouts),
        (NoisyPolicy(), None, args.noisy_layouts),
    ]
    for policy, grounding, layouts in probes:
        if policy.name not in args.policies.split(","):
            continue
        env = SimEnv()
        policy.bind(env)
        taken = understood(grounding, texts)
        turns: dict[str, int] = defaultdict(int)
        triples: list[Triple] = []
        for text, task in zip(texts, taken, strict=True):
            triples.append((text.task, task, turns[text.task] % layouts))
            turns[text.task] += 1
        spokesmen = dict(zip(triples, texts, strict=True))
        outcomes = {t: play(policy, env, refs[t[0]], text, t[2]) for t, text in sorted(spokesmen.items())}
        wins = [outcomes[triple] for triple in triples]
        attempts = [
            SentenceAttempt(text.original, text.text, won, text.task, text.cell.object or "", text.cell.action or "")
            for text, won in zip(texts, wins, strict=True)
        ]
        result = pride_summary(attempts, scores, interval)
        cells: dict[tuple[str, str], list[bool]] = defaultdict(list)
        for text, won in zip(texts, wins, strict=True):
            cells[text.cell.object or "", text.cell.action or ""].append(won)
        told = ", ".join(
            f"{name} {100 * v.estimate:.1f} % [{100 * (v.low or 0):.1f}, {100 * (v.high or 0):.1f}]"
            for name, v in (("SR", result.success), ("PRIDE", result.pride))
        )
        print_grid(f"{policy.name}: success, % ({len(texts)} texts, {len(outcomes)} episodes played, {told})", cells)
        env.close()


if __name__ == "__main__":
    main()
