"""Marked views over many scenes: does any mark cover a thing, has every thing its number, can every number be read?

    python benchmarks/marks.py arena goal --scenes 100 --out /tmp/marks

Everything is judged from the pictures: the clean one, the marked one and the image of geom ids. A number is read back
from the marked picture by comparing its plate with every number drawn on its own. Pictures go to ``--out`` as sheets.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from proctor.core import EpisodeSpec, ProctorError
from proctor.planning import number_marks
from proctor.planning.views import VIEWS, Marked, draw_marks, things_of
from proctor.planning.views._canvas import MARGIN
from proctor.planning.views._draw import MIN_PIXELS, _font
from proctor.planning.views._take import pixel_of
from proctor.sim import SimEnv
from proctor.tasks.cbddl import parse
from proctor.tasks.knowledge import draw, drawable
from proctor.tasks.suites import find_all

SIZE = (480, 640)
READABLE_CONTRAST = 4.5


def scenes(selectors: list[str], count: int, folder: Path) -> Iterator[EpisodeSpec]:
    """Yield episodes of the selected suites, spread over their tasks; ``bench`` draws from the generator."""
    specs: list[EpisodeSpec] = []
    if "bench" in selectors:
        slugs = drawable()
        for number in range(count):
            slug = slugs[number % len(slugs)]
            drawn = draw(slug, 1000 + number, number)
            path = folder / "tasks" / f"{slug}_{number}.cbddl"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(drawn.text, encoding="utf-8")
            task = parse(drawn.text, str(path))
            specs.append(_spec("bench", slug, str(path), task.text_hash, number, drawn.instruction))
    refs = find_all([name for name in selectors if name != "bench"]) if set(selectors) - {"bench"} else []
    chosen = [refs[int(k)] for k in np.linspace(0, len(refs) - 1, min(count, len(refs)))] if refs else []
    specs += [_spec(ref.suite, ref.id, str(ref.path), "", number, "") for number, ref in enumerate(chosen)]
    yield from specs[: max(count, 1)]


def _spec(suite: str, task: str, path: str, text_hash: str, number: int, instruction: str) -> EpisodeSpec:
    return EpisodeSpec(suite, task, "L0", text_hash, number, 4000 + number, instruction, "marks", task_path=path)


def examine(env: SimEnv, camera: str, numbers: dict[str, int]) -> tuple[Marked, Counter[str]]:
    """Mark one view and count what is wrong with it."""
    things = things_of(env.scene)
    clean, ids = env.render(camera, *SIZE), env.geom_ids(camera, *SIZE)
    points = {t.name: pixel_of(env.scene, camera, t.point, SIZE) for t in things if t.point is not None}
    marked = draw_marks(clean, ids, things, numbers, points)
    margin = marked.margin
    inner = marked.picture[margin : margin + SIZE[0], margin : margin + SIZE[1]]
    changed = (inner != clean).any(axis=-1)
    found: Counter[str] = Counter(views=1, margins=int(margin > 0))
    outlined = marked.outlined[margin : margin + SIZE[0], margin : margin + SIZE[1]]
    for thing in things:
        if not thing.geoms:
            continue
        mask = np.isin(ids, list(thing.geoms))
        visible = int(mask.sum()) >= MIN_PIXELS
        found["things"] += int(visible)
        found["unmarked"] += int(visible and numbers.get(thing.name) not in marked.numbers)
        hidden = changed & mask & ~(outlined if thing.carries else np.zeros_like(mask))
        found["covered_pixels"] += int(hidden.sum())
    found["numbers"] += len(marked.numbers)
    found["unreadable"] += sum(not readable(marked, k) for k in range(len(marked.tags)))
    found["overlapping"] += overlapping(marked)
    return marked, found


def plate(marked: Marked, k: int) -> NDArray[np.uint8]:
    """Return the pixels of a number's plate."""
    tag, shift = marked.tags[k], MARGIN - marked.margin
    return marked.picture[
        tag.top - shift : tag.top - shift + tag.height, tag.left - shift : tag.left - shift + tag.width
    ]


def readable(marked: Marked, k: int) -> bool:
    """Whether a plate can be read: dark on light, and more like its own number than like any other."""
    grey = plate(marked, k).astype(float).mean(axis=-1)[1:-1, 1:-1]
    light, dark = np.percentile(grey, 80), np.percentile(grey, 2)
    contrast = (_luminance(light) + 0.05) / (_luminance(dark) + 0.05)
    ink = np.clip((light - grey) / max(light - dark, 1.0), 0.0, 1.0)
    scores = {}
    for number in range(1, 60):
        template = drawn_number(number)[1:-1, 1:-1]
        if template.shape == ink.shape:
            scores[number] = float(np.abs(template - ink).mean())
    read = min(scores, key=lambda number: scores[number])
    return bool(contrast >= READABLE_CONTRAST and read == marked.tag_numbers[k])


def _luminance(grey: float) -> float:
    return float((grey / 255.0) ** 2.2)


def drawn_number(number: int) -> NDArray[np.float64]:
    """Return a number drawn alone, 1 where it is black."""
    left, top, right, bottom = _font().getbbox(str(number))
    image = Image.new("L", (int(right - left) + 8, int(bottom - top) + 6), 255)
    ImageDraw.Draw(image).text((4 - left, 3 - top), str(number), fill=0, font=_font())
    return 1.0 - np.asarray(image, np.float64) / 255.0


def overlapping(marked: Marked) -> int:
    """Count pairs of plates that overlap."""
    boxes = [(t.top, t.left, t.top + t.height, t.left + t.width) for t in marked.tags]
    return sum(
        a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for i, a in enumerate(boxes) for b in boxes[:i]
    )


def sheet(pictures: list[NDArray[np.uint8]], path: Path) -> None:
    """Write the views of a scene side by side."""
    height, width = max(p.shape[0] for p in pictures), max(p.shape[1] for p in pictures)
    image = Image.new("RGB", (2 * width, (len(pictures) + 1) // 2 * height), "gray")
    for k, picture in enumerate(pictures):
        image.paste(Image.fromarray(picture), (k % 2 * width, k // 2 * height))
    image.save(path)


def main() -> int:
    """Print the counts as JSON; exit 1 if anything is covered, unmarked, unreadable or overlapping."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("selectors", nargs="+")
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    total: Counter[str] = Counter()
    env = SimEnv()
    try:
        for spec in scenes(options.selectors, options.scenes, options.out):
            try:
                env.reset(spec)
            except ProctorError as error:
                print(f"{spec.task}: {error}", file=sys.stderr)
                total["not_set_up"] += 1
                continue
            names = [thing.name for thing in things_of(env.scene)]
            numbers = {name: number for number, name in number_marks(names, spec.seed).items()}
            pictures = []
            scene: Counter[str] = Counter(scenes=1)
            for camera in VIEWS:
                marked, found = examine(env, camera, numbers)
                scene += found
                pictures.append(marked.picture)
            total += scene
            wrong = {k: scene[k] for k in ("covered_pixels", "unmarked", "unreadable", "overlapping") if scene[k]}
            if wrong:
                print(f"{spec.task} {spec.episode}: {wrong}", flush=True)
            sheet(pictures, options.out / f"{spec.episode:03d}_{spec.task.replace('/', '-')[:60]}.png")
    finally:
        env.close()
    print(json.dumps(dict(sorted(total.items())), indent=1))
    return int(any(total[k] for k in ("covered_pixels", "unmarked", "unreadable", "overlapping")))


if __name__ == "__main__":
    sys.exit(main())
