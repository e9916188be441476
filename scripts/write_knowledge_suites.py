"""Write the suites of drawn tasks below src/proctor/tasks/suites/knowledge: tasks by kind and level, and the tracks."""

from __future__ import annotations

import shutil
from pathlib import Path

from proctor.tasks.knowledge import SUFFIX, TRACKS, drawable, knowledge_task, knowledge_tasks, track_tasks

ROOT = Path(__file__).resolve().parent.parent / "src/proctor/tasks/suites/knowledge"
_TITLES = {
    "primitive": ("Bench, primitive tasks", "One thing to do: 60 tasks that ask for skill, space, facts or talk."),
    "composite": ("Bench, composite tasks", "Several things to do, to be found out first: 40 tasks."),
    "track1": ("Bench, track 1", "Plain requests about things and instances of the seen side."),
    "track2": ("Bench, track 2", "The scenes of track 1 with every thing replaced by its unseen partner."),
    "track3": ("Bench, track 3", "The scenes of track 1, asked by facts and common sense."),
    "track4": ("Bench, track 4", "The scenes of track 1, asked in conversation."),
    "track5": ("Bench, track 5", "Skills and relations that track 1 does not have."),
    "track6": ("Bench, track 6", "Long horizons: composite tasks."),
    "track7": ("Bench, track 7", "The scenes of track 1 with textures that were never seen."),
}
_ORIGIN = "VLABench (arXiv:2412.18194); tasks, scenes, words and proofs are our own"
EXPERT_SHARE = 0.9


def suite_files() -> dict[str, str]:
    """Return every file of the tasks that can be drawn: path below `ROOT` and text."""
    files = {f"{name}/suite.toml": _suite(name) for name in _TITLES}
    known = drawable()
    for task in knowledge_tasks().values():
        if task.slug not in known:
            continue
        files[f"{task.kind}/L{task.difficulty.level}/{task.slug}{SUFFIX}"] = _bench(
            task=task.slug, include="hard" if task.feasibility == "hard" else ""
        )
    for track in TRACKS:
        for slug in track_tasks(track):
            level = knowledge_task(slug).difficulty.level
            split = "unseen" if track in (2, 5) else "all" if track == 6 else "seen"
            files[f"track{track}/L{level}/{slug}{SUFFIX}"] = _bench(task=slug, track=track, split=split)
    return files


def _suite(name: str) -> str:
    title, description = _TITLES[name]
    shares = ", ".join(f"L{level} = {EXPERT_SHARE}" for level in range(1, 6))
    lines = [f'title = "{title}"', f'description = "{description}"', f'origin = "{_ORIGIN}"', "version = 1"]
    optional = ["optional = true"] if name.startswith("track") else []
    luck = "random_share = 0.05  # pushed to where it belongs is as good as put there"
    return "\n".join([*lines, f"expert_share = {{ {shares} }}", luck, *optional, ""])


def _bench(**values: str | int) -> str:
    lines = [f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}" for key, value in values.items()]
    return "".join(f"{line}\n" for line, value in zip(lines, values.values(), strict=True) if value != "")


if __name__ == "__main__":
    shutil.rmtree(ROOT, ignore_errors=True)
    for name, text in suite_files().items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(suite_files())} files below {ROOT}")
