"""What an agent perceives: depth and cameras that agree with the world, numbers that stay, and a true state."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image

from proctor.core import EpisodeSpec
from proctor.planning import SKILLS
from proctor.planning.views import SIZE, pixel_of
from proctor.policies.agents import SeenThing, Senses, ToolProblem, tools
from proctor.policies.scripted.skills import skills
from proctor.sim import SimEnv
from proctor.tasks.knowledge import draw


def test_a_pixel_with_its_depth_is_a_point_of_the_thing(table_task: Callable[..., EpisodeSpec], world: SimEnv) -> None:
    world.reset(table_task("Put the lemon on the plate.", "fruit_1"))
    view = Senses(world, "pixels", 1, ("head",)).look().views[0]
    assert np.asarray(Image.open(io.BytesIO(view.picture))).shape == (*SIZE, 3)
    assert view.marked is None
    assert view.depth is not None
    assert view.pose is not None
    assert view.intrinsics is not None
    for name in ("fruit_1", "fruit_2", "plate_1"):
        x, y, z = (float(value) for value in world.scene.com(name))
        pixel = pixel_of(world.scene, "head", (x, y, z), SIZE)
        assert pixel is not None
        row, column = pixel
        ray = np.linalg.inv(view.intrinsics) @ np.array([column + 0.5, row + 0.5, 1.0])
        # The camera looks along -z with y up; pictures have y down.
        local = float(view.depth[row, column]) * np.array([ray[0], -ray[1], -1.0])
        point = (view.pose @ np.append(local, 1.0))[:3]
        # The surface is met before the middle, by no more than the size of the thing.
        assert np.linalg.norm(point - (x, y, z)) < 0.06, name
        assert point[2] > 0.895


@pytest.fixture(scope="module")
def cabinet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimEnv]:
    """A scene with something in a shut drawer."""
    drawn = draw("find_unseen_object", 3, 0)
    path: Path = tmp_path_factory.mktemp("cabinet") / "cabinet.cbddl"
    path.write_text(drawn.text, encoding="utf-8")
    env = SimEnv()
    env.reset(EpisodeSpec("bench", "c", "L0", "", 0, 3, drawn.instruction, "", task_path=str(path), max_steps=10))
    yield env
    env.close()


def _named(things: tuple[SeenThing, ...], name: str) -> SeenThing:
    return next(thing for thing in things if thing.name == name)


def test_the_state_says_what_is_where_and_what_is_shut(cabinet: SimEnv) -> None:
    env = cabinet
    things = Senses(env, "state", 1).look().things
    assert {thing.name for thing in things} == {*env.scene.movable, *env.scene.fixed}
    furniture = _named(things, "cabinet_1")
    joints = [part for part in furniture.parts if part.kind == "joint"]
    assert len(joints) == 3
    assert not any(part.is_open for part in joints)
    hidden = [thing for thing in things if thing.inside.startswith("cabinet_1/")]
    assert hidden
    for thing in hidden:
        slot = next(part for part in furniture.parts if part.name == thing.inside)
        assert slot.behind in {part.name for part in joints}
        # In the slot by its place, too.
        assert np.linalg.norm(np.subtract(slot.position, thing.position)) < 0.25
    assert not any(thing.inside for thing in things if not thing.movable)


def test_numbers_stay_and_what_comes_to_light_gets_the_next(cabinet: SimEnv) -> None:
    env = cabinet
    things = Senses(env, "state", 1).look().things
    hidden = next(thing for thing in things if thing.inside.startswith("cabinet_1/"))
    slot = next(part for part in _named(things, "cabinet_1").parts if part.name == hidden.inside)
    senses = Senses(env, "marks", 1, ("head", "agentview"))
    before = senses.look()
    marks = dict(senses.reader.marks)
    assert hidden.name not in marks.values()
    assert all(isinstance(thing.name, int) and not thing.words and not thing.looks for thing in before.things)
    # The drawer opens, and what was in it lies on the table.
    joint = env.scene.model.joint(str(slot.behind))
    env.scene.data.qpos[joint.qposadr[0]] = max(joint.range, key=abs)
    env.scene.put(str(hidden.name), np.array([-0.25, -0.2, 0.95]))
    mujoco.mj_forward(env.scene.model, env.scene.data)
    senses.look()
    after = senses.reader.marks
    assert {number: after[number] for number in marks} == marks
    new = set(after) - set(marks)
    assert new == set(range(len(marks) + 1, len(marks) + 1 + len(new)))
    assert hidden.name in {after[number] for number in new}


@pytest.mark.parametrize(
    ("level", "raw"),
    [
        ("state", 3),
        ("state", "nothing_1"),
        ("state", "cabinet_1/roof"),
        ("marks", "cabinet_1"),
        ("marks", 99),
        ("marks", True),
        ("marks", "-1"),
        ("pixels", "cabinet_1"),
        ("pixels", 3),
        ("pixels", ["head", 1]),
        ("pixels", ["nowhere", 1, 1]),
        ("pixels", ["head", -1, 5]),
        ("pixels", ["head", "left", 5]),
        ("pixels", ["head", float("inf"), 5]),
    ],
)
def test_a_reference_of_another_level_means_nothing(level: str, raw: object, cabinet: SimEnv) -> None:
    reader = Senses(cabinet, level, 1).reader  # type: ignore[arg-type]
    with pytest.raises(ToolProblem) as problem:
        reader.read("pick", raw)
    assert problem.value.kind == "bad_argument"


def test_every_level_can_name_the_table(cabinet: SimEnv) -> None:
    env = cabinet
    for level in ("pixels", "marks", "state"):
        reader = Senses(env, level, 1).reader  # type: ignore[arg-type]
        assert reader.read("place", "Table") == env.scene.workspace


def test_the_tools_are_the_skills_and_two_more() -> None:
    names = [tool.name for tool in tools()]
    assert names == [*(name for name in SKILLS if name in skills()), "look", "done"]
    assert {"pick", "place", "open", "close", "press", "pour"} <= set(names)
    assert all(tool.roles == SKILLS[tool.name].roles for tool in tools() if tool.name in SKILLS)
