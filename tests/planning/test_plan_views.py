"""Marked views: nothing is covered, every number can be found, and it is the same thing in every view."""

from __future__ import annotations

import io

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from proctor.planning.views import MARGIN, Marked, Thing, draw_marks, take_views, things_of

from proctor.core import EpisodeSpec  # isort: skip
from proctor.sim import SimEnv
from proctor.tasks.suites import find

HEIGHT, WIDTH = 240, 320


def _things(count: int, carrier: bool = False) -> list[Thing]:
    return [Thing(f"thing_{k}", f"thing_{k}", frozenset({k}), carries=carrier and k == 0) for k in range(count)]


def _background() -> NDArray[np.uint8]:
    rng = np.random.default_rng(3)
    return rng.integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)


def _marked(ids: NDArray[np.int32], things: list[Thing]) -> tuple[NDArray[np.uint8], Marked]:
    picture = _background()
    return picture, draw_marks(picture, ids, things, {thing.name: k + 1 for k, thing in enumerate(things)}, {})


def _inner(marked: Marked) -> NDArray[np.uint8]:
    m = marked.margin
    return marked.picture[m : m + HEIGHT, m : m + WIDTH]


@pytest.mark.parametrize("seed", range(6))
def test_no_pixel_of_any_thing_changes(seed: int) -> None:
    """Discs and boxes anywhere, touching and overlapping each other, in front of noise."""
    rng = np.random.default_rng(seed)
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    ids = np.full((HEIGHT, WIDTH), -1, np.int32)
    for k in range(9):
        row, column, size = rng.integers(20, HEIGHT - 20), rng.integers(20, WIDTH - 20), rng.integers(8, 40)
        shape = (rows - row) ** 2 + (columns - column) ** 2 < size**2
        if k % 2:
            shape = (abs(rows - row) < size) & (abs(columns - column) < size // 2)
        ids[shape] = k
    clean, marked = _marked(ids, _things(9))
    changed = (_inner(marked) != clean).any(axis=-1)
    assert changed.any()
    assert not changed[ids >= 0].any()
    visible = {k + 1 for k in range(9) if (ids == k).sum() >= 40}
    assert set(marked.numbers) == visible
    assert len(marked.tags) == len(visible)


def test_what_fills_the_picture_has_its_number_in_the_margin() -> None:
    ids = np.zeros((HEIGHT, WIDTH), np.int32)
    clean, marked = _marked(ids, _things(1))
    assert marked.margin > 0
    assert marked.numbers == (1,)
    assert (_inner(marked) == clean).all()


def test_what_lies_on_something_is_outlined_over_it_and_numbered_outside_it() -> None:
    ids = np.full((HEIGHT, WIDTH), -1, np.int32)
    ids[60:180, 80:240] = 0
    ids[100:130, 140:170] = 1
    clean, marked = _marked(ids, _things(2, carrier=True))
    changed = (_inner(marked) != clean).any(axis=-1)
    assert not changed[ids == 1].any()
    on_carrier = changed & (ids == 0)
    assert on_carrier.any()
    near = np.zeros_like(changed)
    near[97:133, 137:173] = True
    # What changes on the carrier is the outline, three pixels around the thing.
    assert not (on_carrier & ~near).any()
    assert set(marked.numbers) == {1, 2}


def test_a_leader_ends_at_its_own_thing_and_not_where_that_looks_out_behind_another() -> None:
    """A microwave from the front: of its body one sees the panel beside the door, and a rim over the door."""
    ids = np.full((HEIGHT, WIDTH), -1, np.int32)
    ids[100:160, 80:240] = 1
    ids[98:100, 80:240] = 0
    ids[98:160, 240:262] = 0
    marked = _marked(ids, _things(2, carrier=True))[1]
    rows, columns = marked.tags[marked.tag_numbers.index(1)].leader
    ends = [(int(rows[k]) - MARGIN, int(columns[k]) - MARGIN) for k in (0, -1)]
    assert any(column >= 238 for _, column in ends), ends


def test_too_small_to_see_has_no_number() -> None:
    ids = np.full((HEIGHT, WIDTH), -1, np.int32)
    ids[10:16, 10:16] = 0
    ids[100:140, 100:140] = 1
    assert _marked(ids, _things(2))[1].numbers == (2,)


@pytest.fixture(scope="module")
def env() -> object:
    env = SimEnv()
    ref = next(ref for ref in find("arena/preposition_combinations/L0"))
    env.reset(EpisodeSpec(ref.suite, ref.id, ref.level, "", 0, 11, "", "views", task_path=str(ref.path)))
    return env


def test_views_of_a_scene_share_their_numbers(env: SimEnv) -> None:
    viewed = take_views(env, seed=5, cameras=("head", "agentview"))
    known = {thing.name for thing in things_of(env.scene)}
    assert set(viewed.marks.values()) <= known
    assert sorted(viewed.marks) == list(range(1, len(viewed.marks) + 1))
    again = take_views(env, seed=5, cameras=("head", "agentview"))
    assert again.marks == viewed.marks
    assert [view.marked for view in again.views] == [view.marked for view in viewed.views]
    assert take_views(env, seed=6, cameras=("agentview",)).marks != viewed.marks
    for view in viewed.views:
        clean = np.asarray(Image.open(io.BytesIO(view.clean)))
        assert (clean == env.render(view.camera, 480, 640)).all()


def test_ids_and_pictures_are_of_the_same_pixels(env: SimEnv) -> None:
    """Where the id image shows a thing, moving that thing changes the picture, and hardly anywhere else."""
    scene = env.scene
    name = scene.movable[0]
    mine = next(thing for thing in things_of(scene) if thing.name == name).geoms
    ids, before = env.geom_ids("agentview", 240, 320), env.render("agentview", 240, 320)
    snapshot = env.snapshot()
    scene.put(name, scene.origin(name) + np.array([0.0, 0.0, 5.0]))
    import mujoco

    mujoco.mj_kinematics(scene.model, scene.data)
    after = env.render("agentview", 240, 320)
    env.restore(snapshot)
    changed = (before != after).any(axis=-1)
    shown = np.isin(ids, list(mine))
    assert shown.sum() > 40
    assert changed[shown].mean() > 0.9
    assert changed[~shown].mean() < 0.01
    env.close()
