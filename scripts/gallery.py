"""Write docs/reference/tables/gallery.md and its pictures: a suite and level, its tasks' first layouts side by side.

    python scripts/gallery.py [SELECTOR ...]

A picture is a JPEG of at most 60 kB in docs/img/gallery. With selectors only those pictures are made again.
"""

from __future__ import annotations

import io
import sys
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from proctor.core import episode_spec
from proctor.run.certificates import scene_pictures
from proctor.tasks.suites import Suite, TaskRef, builtin_suites, entry_of, find_all, tasks_of

DOCS = Path(__file__).resolve().parents[1] / "docs"
FOLDER = DOCS / "img" / "gallery"
COLUMNS, SIZE, GAP = 5, 200, 4
RENDERED = 400
MOST_BYTES = 60_000
# What a policy sees.
CAMERA = "agentview"


def picture_of(tasks: list[TaskRef]) -> Image.Image:
    """Return the tasks' first layouts, five in a row, on white."""
    tiles = [_tile(task) for task in tasks]
    rows = [tiles[i : i + COLUMNS] for i in range(0, len(tiles), COLUMNS)]
    step = SIZE + GAP
    sheet = np.full((len(rows) * step - GAP, COLUMNS * step - GAP, 3), 255, np.uint8)
    for y, row in enumerate(rows):
        for x, tile in enumerate(row):
            sheet[y * step : y * step + SIZE, x * step : x * step + SIZE] = tile
    return Image.fromarray(sheet)


def _tile(task: TaskRef) -> NDArray[np.uint8]:
    (picture,) = scene_pictures(task, camera=CAMERA, layouts=1, size=RENDERED, seed=0)
    return np.asarray(Image.fromarray(picture).resize((SIZE, SIZE), Image.Resampling.LANCZOS))


def save(picture: Image.Image, path: Path) -> None:
    """Write a JPEG, at the highest quality that stays within the limit."""
    for quality in range(88, 30, -4):
        buffer = io.BytesIO()
        picture.save(buffer, "JPEG", quality=quality, optimize=True, progressive=True)
        if buffer.tell() <= MOST_BYTES:
            break
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(buffer.getvalue())


def file_of(suite: str, level: str) -> str:
    """Return the picture's path below docs."""
    return f"img/gallery/{suite.replace('/', '_')}_{level}.jpg"


def page_of(suites: list[Suite]) -> str:
    """Return the page: a picture per suite and level, with the instructions in the order of the scenes."""
    lines = [
        "# Gallery",
        "",
        "<!-- Written by scripts/gallery.py (make gallery). -->",
        "",
        "Every task of every suite, as its first layout starts (seed 0). Other episodes draw other layouts.",
    ]
    for suite in suites:
        lines += ["", f"## {suite.title or suite.name}", "", suite.description]
        for level, members in groupby(tasks_of(suite), key=lambda task: task.level):
            tasks = list(members)
            title = f"{suite.name} {level}"
            lines += ["", f"### {title}", "", f"![{title}](../../{file_of(suite.name, level)})", ""]
            lines += [f"{i}. {_words(task)}" for i, task in enumerate(tasks, start=1)]
    return "\n".join(lines) + "\n"


def _words(task: TaskRef) -> str:
    """Return what the first episode is told; a drawn task's words are drawn with it."""
    return episode_spec(entry_of(task), 0, policy="").instruction


def main(selectors: list[str]) -> None:
    """Make the pictures that are asked for, and the page."""
    suites = [suite for suite in builtin_suites() if tasks_of(suite)]
    wanted = find_all(selectors) if selectors else [task for suite in suites for task in tasks_of(suite)]
    asked = {(task.suite, task.level) for task in wanted}
    for suite in suites:
        for level, members in groupby(tasks_of(suite), key=lambda task: task.level):
            if (suite.name, level) in asked:
                path = DOCS / file_of(suite.name, level)
                save(picture_of(list(members)), path)
                print(f"{path.relative_to(DOCS.parent)}: {path.stat().st_size / 1000:.0f} kB", flush=True)
    (DOCS / "reference" / "tables" / "gallery.md").write_text(page_of(suites), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
