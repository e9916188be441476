"""The 90 scenes against the counts that the paper states, and the ways to name them."""

from __future__ import annotations

from collections import Counter

import pytest

from proctor.core import ProctorError
from proctor.station.scene import load_scenes, load_tasks, select_scenes


def test_the_counts_of_the_paper() -> None:
    scenes = load_scenes()
    assert [scene.id for scene in scenes] == list(range(1, 91))
    assert Counter(scene.split for scene in scenes) == {"ID": 50, "OOD": 40}
    per_task = Counter((scene.task.name, scene.split) for scene in scenes)
    assert set(per_task.values()) == {5}
    assert {task.name for task in load_tasks()} - {name for name, split in per_task if split == "OOD"} == {
        "oven",
        "whiteboard",
    }
    levels = Counter((scene.task.name, scene.split, scene.level) for scene in scenes)
    assert all(levels[name, split, "hard"] == 1 for name, split in per_task)
    assert all(levels[name, split, "easy"] == levels[name, split, "medium"] == 2 for name, split in per_task)


def test_numbers_of_the_two_tables_are_permutations() -> None:
    assert sorted(task.table3 for task in load_tasks()) == sorted(task.number for task in load_tasks())
    # Table 6 was run on tasks {1, 2, 5, 6, 7} of Table 3; Appendix G names them.
    reproduced = {task.name for task in load_tasks() if task.table3 in {1, 2, 5, 6, 7}}
    assert reproduced == {"bread", "bowl", "towel", "oven", "whiteboard"}


def test_scenes_of_the_table() -> None:
    by_id = {scene.id: scene for scene in load_scenes()}
    assert (by_id[5].instruction, by_id[5].distractors, by_id[5].level) == ("Put A bread on the red plate", 2, "hard")
    assert (by_id[60].instruction, by_id[60].split) == ("Pour 5 shakes of pepper into blue plate", "OOD")
    assert by_id[77].distractors == 1
    assert by_id[78].distractors == 2


@pytest.mark.parametrize(
    ("selectors", "ids"),
    [
        (("7",), [7]),
        (("1-3", "2-4"), [1, 2, 3, 4]),
        (("bread/ID",), [1, 2, 3, 4, 5]),
        (("bread/OOD/2",), [7]),
        (("Towel/hard",), [35, 40]),
    ],
)
def test_selectors(selectors: tuple[str, ...], ids: list[int]) -> None:
    assert [scene.id for scene in select_scenes(*selectors)] == ids


def test_every_name_selects_its_scene() -> None:
    for scene in load_scenes():
        assert select_scenes(scene.name) == (scene,)


@pytest.mark.parametrize(
    ("selector", "words"),
    [("0", "1 to 90"), ("91", "1 to 90"), ("85-95", "1 to 90"), ("bred", "'bread'"), ("oven/OOD", "no OOD scenes")],
)
def test_a_wrong_selector_is_one_line(selector: str, words: str) -> None:
    with pytest.raises(ProctorError, match=words) as caught:
        select_scenes(selector)
    assert "\n" not in str(caught.value)
