"""The dataset writer: whole or absent, counters that add up, statistics of all rows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from proctor.results.dataset import DatasetError, DatasetLayout, DatasetWriter

LAYOUT = DatasetLayout(20.0, "panda", ("a", "b"), ("x", "y", "z"), {"top": (16, 12)}, "image")


def _episode(rng: np.random.Generator, size: int) -> dict[str, object]:
    return {
        "actions": rng.random((size, 2)).astype(np.float32),
        "states": rng.random((size, 3)).astype(np.float32),
        "pictures": {"top": [rng.integers(0, 255, (12, 16, 3), dtype=np.uint8) for _ in range(size)]},
    }


def test_counters_tasks_and_statistics_are_those_of_the_rows(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    sizes, tasks = (5, 3, 4), ("pick", "place", "pick")
    episodes = [_episode(rng, size) for size in sizes]
    with DatasetWriter(tmp_path / "d", LAYOUT) as data:
        for task, episode in zip(tasks, episodes, strict=True):
            data.add(task, **episode)  # type: ignore[arg-type]
        assert not (tmp_path / "d").exists(), "it appears when it is whole"
    table = pq.read_table(tmp_path / "d/data/chunk-000/file-000.parquet").to_pydict()
    assert table["index"] == list(range(12))
    assert table["episode_index"] == [0] * 5 + [1] * 3 + [2] * 4
    assert table["frame_index"] == [*range(5), *range(3), *range(4)]
    assert table["task_index"] == [0] * 5 + [1] * 3 + [0] * 4
    assert table["timestamp"][:3] == pytest.approx([0.0, 0.05, 0.10])
    stats = json.loads((tmp_path / "d/meta/stats.json").read_text())
    actions = np.concatenate([episode["actions"] for episode in episodes])  # type: ignore[misc]
    for name, expected in (("min", actions.min(0)), ("max", actions.max(0)), ("mean", actions.mean(0))):
        assert stats["action"][name] == pytest.approx(expected.tolist(), rel=1e-5)
    assert stats["action"]["std"] == pytest.approx(actions.std(0).tolist(), rel=1e-5)
    info = json.loads((tmp_path / "d/meta/info.json").read_text())
    assert (info["total_frames"], info["total_tasks"], info["robot_type"]) == (12, 2, "panda")


def test_an_error_leaves_nothing_and_a_folder_is_not_overwritten(tmp_path: Path) -> None:

    def broken() -> None:
        with DatasetWriter(tmp_path / "d", LAYOUT) as data:
            data.add("pick", **_episode(np.random.default_rng(1), 2))  # type: ignore[arg-type]
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        broken()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "d").mkdir()
    with pytest.raises(DatasetError, match="exists: give a folder that does not"):
        DatasetWriter(tmp_path / "d", LAYOUT)
