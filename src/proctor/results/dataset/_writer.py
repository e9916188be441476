"""A LeRobotDataset v3.0: one data file, one film per camera, statistics, tasks.

Written from the layout that LeRobot 0.4.4 writes and reads. The folder is built under another name beside its place and
appears whole when it is closed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ._errors import DatasetError
from ._films import FilmWriter, png
from ._statistics import Stats, column_stats, picture_stats, plain, together

Pictures = Literal["video", "image"]
_CHUNK: Final = "chunk-000/file-000"
_COUNTERS: Final = ("frame_index", "episode_index", "index", "task_index")
# Enough for the mean colour of an episode.
_PICTURES_FOR_STATS: Final = 20


@dataclass(frozen=True, slots=True)
class DatasetLayout:
    """What a dataset holds: names of the values of actions and states, and (width, height) of each camera."""

    fps: float
    robot_type: str
    action_names: tuple[str, ...]
    state_names: tuple[str, ...]
    sizes: Mapping[str, tuple[int, int]]
    pictures: Pictures = "video"


class DatasetWriter:
    """Writes episodes one after the other; what is not closed without an error leaves nothing behind."""

    def __init__(self, out: Path, layout: DatasetLayout) -> None:
        if out.exists():
            raise DatasetError(f"{out} exists: give a folder that does not, or remove it first")
        self._out, self._layout = out, layout
        self.folder = out.with_name(f".{out.name}.part")
        shutil.rmtree(self.folder, ignore_errors=True)
        self._tasks: list[str] = []
        self._columns: dict[str, list[Any]] = {}
        self._episodes: list[dict[str, Any]] = []
        self._stats: dict[str, list[Stats]] = {}
        self.frames = 0
        self._films: dict[str, FilmWriter] = {}
        if layout.pictures == "video":
            for camera, size in layout.sizes.items():
                path = self.folder / f"videos/{_key(camera)}/{_CHUNK}.mp4"
                self._films[camera] = FilmWriter(path, layout.fps, size)

    def __enter__(self) -> DatasetWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for film in self._films.values():
                film.close()
            if kind is None:
                self._write()
                self.folder.replace(self._out)
        except OSError as problem:
            raise DatasetError(f"cannot write {self._out}: {problem.strerror or problem}") from problem
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def episodes(self) -> int:
        return len(self._episodes)

    def add(
        self,
        task: str,
        actions: NDArray[np.float32],
        states: NDArray[np.float32],
        pictures: Mapping[str, Iterable[NDArray[np.uint8]]],
    ) -> None:
        """Append an episode: as many rows of actions, states and pictures of each camera."""
        size, number = len(actions), len(self._episodes)
        if task not in self._tasks:
            self._tasks.append(task)
        values: dict[str, NDArray[Any]] = {
            "action": actions,
            "observation.state": states,
            "timestamp": (np.arange(size) / self._layout.fps).astype(np.float32),
            "frame_index": np.arange(size),
            "episode_index": np.full(size, number),
            "index": np.arange(self.frames, self.frames + size),
            "task_index": np.full(size, self._tasks.index(task)),
        }
        stats = {name: column_stats(column) for name, column in values.items()}
        for name, column in values.items():
            self._columns.setdefault(name, []).extend(column.tolist())
        for camera in self._layout.sizes:
            stats[_key(camera)] = self._add_pictures(camera, pictures[camera], size)
        self._add_episode(stats, task, size)
        self.frames += size

    def _add_pictures(self, camera: str, pictures: Iterable[NDArray[np.uint8]], size: int) -> Stats:
        sample, every = [], max(1, size // _PICTURES_FOR_STATS)
        film = self._films.get(camera)
        for number, picture in enumerate(pictures):
            if number % every == 0:
                sample.append(picture)
            if film is not None:
                film.add(picture)
            else:
                self._columns.setdefault(_key(camera), []).append({"bytes": png(picture), "path": None})
        return picture_stats(sample)

    def _add_episode(self, stats: dict[str, Stats], task: str, size: int) -> None:
        place, fps = {"chunk_index": 0, "file_index": 0}, self._layout.fps
        row: dict[str, Any] = {"episode_index": len(self._episodes), "tasks": [task], "length": size}
        row |= {f"data/{name}": value for name, value in place.items()}
        row |= {"dataset_from_index": self.frames, "dataset_to_index": self.frames + size}
        for camera in self._films:
            row |= {f"videos/{_key(camera)}/{name}": value for name, value in place.items()}
            row[f"videos/{_key(camera)}/from_timestamp"] = self.frames / fps
            row[f"videos/{_key(camera)}/to_timestamp"] = (self.frames + size) / fps
        for name, found in stats.items():
            self._stats.setdefault(name, []).append(found)
            row |= {f"stats/{name}/{key}": value for key, value in plain(found).items()}
        self._episodes.append(row | {f"meta/episodes/{name}": value for name, value in place.items()})

    def _write(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        out = self.folder
        (out / "data/chunk-000").mkdir(parents=True)
        (out / "meta/episodes/chunk-000").mkdir(parents=True)
        pq.write_table(self._data_table(), out / f"data/{_CHUNK}.parquet")
        pq.write_table(pa.Table.from_pylist(self._episodes), out / f"meta/episodes/{_CHUNK}.parquet")
        pq.write_table(_task_table(self._tasks), out / "meta/tasks.parquet")
        self.note("stats", {name: plain(together(parts)) for name, parts in self._stats.items()})
        self.note("info", self._info())

    def note(self, name: str, values: Any) -> None:
        path = self.folder / f"meta/{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")

    def _data_table(self) -> Any:
        import pyarrow as pa

        layout = self._layout
        picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
        types = {
            "action": pa.list_(pa.float32(), len(layout.action_names)),
            "observation.state": pa.list_(pa.float32(), len(layout.state_names)),
            "timestamp": pa.float32(),
        }
        types |= dict.fromkeys(_COUNTERS, pa.int64()) | {_key(camera): picture for camera in layout.sizes}
        return pa.table({name: pa.array(values, types[name]) for name, values in self._columns.items()})

    def _info(self) -> dict[str, Any]:
        fps = self._layout.fps
        return {
            "codebase_version": "v3.0",
            "robot_type": self._layout.robot_type,
            "total_episodes": len(self._episodes),
            "total_frames": self.frames,
            "total_tasks": len(self._tasks),
            "chunks_size": 1000,
            "data_files_size_in_mb": 100,
            "video_files_size_in_mb": 200,
            "fps": int(fps) if float(fps).is_integer() else fps,
            "splits": {"train": f"0:{len(self._episodes)}"},
            "data_path": "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
            "video_path": "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4"
            if self._films
            else None,
            "features": dict(self._features()),
        }

    def _features(self) -> Iterator[tuple[str, dict[str, Any]]]:
        layout = self._layout
        for name, names in (("action", layout.action_names), ("observation.state", layout.state_names)):
            yield name, {"dtype": "float32", "shape": [len(names)], "names": list(names)}
        for camera, (width, height) in layout.sizes.items():
            feature: dict[str, Any] = {"dtype": layout.pictures, "shape": [height, width, 3]}
            feature["names"] = ["height", "width", "channels"]
            if layout.pictures == "video":
                about = {"height": height, "width": width, "codec": "h264", "pix_fmt": "yuv420p"}
                about |= {"is_depth_map": False, "fps": layout.fps, "channels": 3}
                feature["info"] = {**{f"video.{key}": value for key, value in about.items()}, "has_audio": False}
            yield _key(camera), feature
        yield "timestamp", {"dtype": "float32", "shape": [1], "names": None}
        for name in _COUNTERS:
            yield name, {"dtype": "int64", "shape": [1], "names": None}


def _key(camera: str) -> str:
    return f"observation.images.{camera}"


def _task_table(tasks: Sequence[str]) -> Any:
    """Return the table that pandas reads back with the task's text as its index, as LeRobot expects."""
    import pyarrow as pa

    index = "__index_level_0__"
    table = pa.table({"task_index": pa.array(range(len(tasks)), pa.int64()), index: pa.array(tasks, pa.string())})
    columns = [
        {
            "name": "task_index",
            "field_name": "task_index",
            "pandas_type": "int64",
            "numpy_type": "int64",
            "metadata": None,
        },
        {"name": None, "field_name": index, "pandas_type": "unicode", "numpy_type": "object", "metadata": None},
    ]
    about = {"index_columns": [index], "column_indexes": [], "columns": columns, "creator": {}, "pandas_version": "2.2"}
    return table.replace_schema_metadata({"pandas": json.dumps(about)})
