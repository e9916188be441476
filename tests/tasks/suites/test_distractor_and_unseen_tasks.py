"""Static distractors: the place does not tell the target. Unseen objects: another shape at L1, other kinds at L2."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from proctor.assets import Asset, links
from proctor.core import EpisodeSpec
from proctor.sim import SimEnv
from proctor.tasks.cbddl import Region, Task, read_task
from proctor.tasks.suites import find_all

NOUNS = ("cake", "donut", "kiwi", "onion", "tomato")


def tasks(suite: str, level: str) -> dict[str, Task]:
    return {ref.path.stem: read_task(ref.path) for ref in find_all([f"arena/{suite}/{level}"])}


# -- static distractors ------------------------------------------------------------------------------------------------
def region_of(task: Task, name: str) -> Region:
    (where,) = [str(atom.args[1]) for atom in task.init if atom.args[0] == name]
    return next(region for region in task.regions if region.full_name == where)


def rectangles(task: Task, name: str) -> set[tuple[float, ...]]:
    return {(r.x_min, r.y_min, r.x_max, r.y_max) for r in region_of(task, name).ranges}


def test_clutter_grows_from_level_to_level() -> None:
    levels = [tasks("static_distractors", level) for level in ("L0", "L1", "L2")]
    assert all(level.keys() == levels[0].keys() and len(level) == 5 for level in levels)
    for name in levels[0]:
        bare, few, dense = ({entity.category for entity in level[name].objects} for level in levels)
        assert bare < few < dense
        assert (len(bare), len(few), len(dense)) == (2, 4, 10)


@pytest.mark.parametrize("level", ["L1", "L2"])
def test_the_target_and_its_look_alikes_may_stand_in_the_same_places(level: str) -> None:
    for task in tasks("static_distractors", level).values():
        target = task.obj_of_interest[0]
        places = rectangles(task, target)
        sharing = [e.name for e in task.objects if e.name != target and rectangles(task, e.name) == places]
        assert len(places) == 3
        assert len(sharing) == 2


def test_the_target_is_seen_in_each_of_its_places() -> None:
    (ref,) = find_all(["arena/static_distractors/L2/pick_the_apple_on_the_table_and_place_it_on_the_plate"])
    region = region_of(read_task(ref.path), "apple_1")
    env = SimEnv()
    seen = []
    for seed in range(24):
        env.reset(spec(ref.path, seed))
        x, y, _ = env.scene.origin("apple_1")
        seen += [i for i, r in enumerate(region.ranges) if r.x_min < x < r.x_max and r.y_min < y < r.y_max]
    env.close()
    assert len(seen) == 24
    assert min(seen.count(i) for i in range(3)) >= 3


def spec(path: Path, seed: int) -> EpisodeSpec:
    return EpisodeSpec("test", path.stem, "L0", "", 0, seed, "Do nothing", "none", task_path=str(path))


# -- unseen objects ----------------------------------------------------------------------------------------------------
def test_the_second_level_is_the_first_with_other_instances() -> None:
    first, second = tasks("unseen_objects", "L0"), tasks("unseen_objects", "L1")
    assert first.keys() == second.keys()
    for name, task in second.items():
        text = Path(task.file).read_text(encoding="utf-8")
        for noun in NOUNS:
            assert f" - {noun}_n\n" in text
            text = text.replace(f" - {noun}_n\n", f" - {noun}\n")
        assert text == Path(first[name].file).read_text(encoding="utf-8")


def test_the_third_level_has_other_kinds() -> None:
    known = {e.category.removesuffix("_n") for task in tasks("unseen_objects", "L0").values() for e in task.objects}
    for task in tasks("unseen_objects", "L2").values():
        assert {entity.category for entity in task.objects} & known == {"box"}


def look(asset: Asset) -> tuple[float, float, NDArray[np.float64]]:
    """Return height to width, how much of its bounding rectangle a thing fills from above, and its mean colour."""
    visuals = [visual for link in links(asset.root) for visual in link.visuals]
    points = np.concatenate([v.mesh.vertices + np.asarray(v.pos) for v in visuals])
    size = np.ptp(points, axis=0)
    filled = ConvexHull(points[:, :2]).volume / (size[0] * size[1])
    body = max(visuals, key=lambda v: len(v.mesh.vertices) if v.part == "body" else 0)
    texture = body.material.texture
    colour = np.asarray(body.material.rgb) if texture is None else texture.reshape(-1, 3).mean(axis=0) / 255
    return float(size[2] / size[:2].max()), float(filled), colour


def apart(a: list[float], b: list[float]) -> bool:
    return max(a) < min(b) or max(b) < min(a)


@pytest.mark.parametrize("noun", NOUNS)
def test_an_unseen_instance_has_a_shape_that_was_never_seen(noun: str) -> None:
    """In the scenes themselves, over all sets of instances that a suite shows."""
    looks = []
    for level in ("L0", "L1"):
        (ref,) = find_all([f"arena/unseen_objects/{level}/pick_up_the_{noun}_and_place_it_in_the_box"])
        env = SimEnv()
        found = {}
        for seed in range(12):
            env.reset(spec(ref.path, seed))
            found[env.scene.instance_set] = look(env.scene.assets[f"{noun}_1"])
        env.close()
        assert len(found) >= 4
        looks.append(list(found.values()))
    seen, unseen = looks
    flat, filled = (apart([one[i] for one in seen], [one[i] for one in unseen]) for i in range(2))
    assert flat or filled
    # A square cake may be of a sponge that round ones have, too; all the others differ in colour as well.
    nearest = min(float(np.linalg.norm(a[2] - b[2])) for a in seen for b in unseen)
    assert noun == "cake" or nearest > 0.1
