"""Trials as a LeRobotDataset v3.0, without LeRobot: one data file, one film per camera, statistics, tasks.

Written from the layout that LeRobot 0.4.4 writes and reads. One episode is one trial while the policy moved the arm. A
row holds the joints measured when the picture was taken, and as action what the arm had been told by the next row.
Joint values are in the unit asked for, and ``joint_unit.json`` beside the dataset says which.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from proctor.lab.arm import JOINTS, Unit, UnitRecord, save_unit

from ._films import FilmWriter, png
from ._rollout import ExportError, Rollout, film_size
from ._statistics import Stats, column_stats, picture_stats, plain, together

Pictures = Literal["video", "image"]
_CHUNK: Final = "chunk-000/file-000"
_NAMES: Final = [f"{joint}.pos" for joint in JOINTS]
_COUNTERS: Final = ("frame_index", "episode_index", "index", "task_index")
# Enough for the mean colour of an episode.
_PICTURES_FOR_STATS: Final = 20


@dataclass(slots=True)
class _Dataset:
    out: Path
    fps: float
    unit: Unit
    pictures: Pictures
    sizes: dict[str, tuple[int, int]]
    tasks: list[str] = field(default_factory=list)
    columns: dict[str, list[Any]] = field(default_factory=dict)
    episodes: list[dict[str, Any]] = field(default_factory=list)
    stats: dict[str, list[Stats]] = field(default_factory=dict)
    sources: list[dict[str, Any]] = field(default_factory=list)
    frames: int = 0


def export_lerobot(
    rollouts: Sequence[Rollout],
    out: Path,
    *,
    unit: Unit = Unit.TRUE_DEGREES,
    pictures: Pictures = "video",
) -> int:
    """Write the dataset into the new folder ``out``; return its number of frames. Empty trials are left out."""
    if out.exists():
        raise ExportError(f"{out} exists: give a folder that does not, or remove it first")
    used = [rollout for rollout in rollouts if rollout.span()[1] > rollout.span()[0]]
    if not used:
        raise ExportError("in none of the trials did the policy move the arm: there is nothing to export")
    building = out.with_name(f".{out.name}.part")
    shutil.rmtree(building, ignore_errors=True)
    data = _Dataset(building, used[0].fps, unit, pictures, _common_sizes(used))
    try:
        films = {
            camera: FilmWriter(building / f"videos/{_key(camera)}/{_CHUNK}.mp4", data.fps, size)
            for camera, size in data.sizes.items()
            if pictures == "video"
        }
        for rollout in used:
            _add(data, rollout, films)
        for film in films.values():
            film.close()
        _write(data)
        building.replace(out)
    except OSError as error:
        raise ExportError(f"cannot write {out}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return data.frames


def _common_sizes(rollouts: Sequence[Rollout]) -> dict[str, tuple[int, int]]:
    """Return each camera's size; trials that differ cannot be one dataset."""
    first = rollouts[0]
    sizes = {camera: film_size(first.folder / f"{camera}.mp4") for camera in first.cameras}
    for other in rollouts[1:]:
        theirs = {camera: film_size(other.folder / f"{camera}.mp4") for camera in other.cameras}
        for what, mine, its in (("fps", first.fps, other.fps), ("cameras and sizes", sizes, theirs)):
            if mine != its:
                raise ExportError(f"trial {first.name} has {what} {mine}, trial {other.name} {its}: export them apart")
    return sizes


def _key(camera: str) -> str:
    return f"observation.images.{camera}"


def _add(data: _Dataset, rollout: Rollout, films: dict[str, FilmWriter]) -> None:
    first, end = rollout.span()
    length, number = end - first, len(data.episodes)
    times = np.arange(first, end) / data.fps
    task = str(rollout.meta.get("instruction", ""))
    if task not in data.tasks:
        data.tasks.append(task)
    values: dict[str, NDArray[Any]] = {
        "action": rollout.joints("command", data.unit, times + 1 / data.fps),
        "observation.state": rollout.joints("measured", data.unit, times),
        "timestamp": (np.arange(length) / data.fps).astype(np.float32),
        "frame_index": np.arange(length),
        "episode_index": np.full(length, number),
        "index": np.arange(data.frames, data.frames + length),
        "task_index": np.full(length, data.tasks.index(task)),
    }
    stats = {name: column_stats(column) for name, column in values.items()}
    for name, column in values.items():
        data.columns.setdefault(name, []).extend(column.tolist())
    for camera in data.sizes:
        stats[_key(camera)] = _add_pictures(data, rollout, camera, (first, length), films.get(camera))
    _add_episode(data, stats, task, length)
    data.sources.append({"episode_index": number, "trial": rollout.name, "status": rollout.meta.get("status")})
    data.frames += length


def _add_pictures(
    data: _Dataset, rollout: Rollout, camera: str, span: tuple[int, int], film: FilmWriter | None
) -> Stats:
    sample, every = [], max(1, span[1] // _PICTURES_FOR_STATS)
    for number, picture in enumerate(rollout.pictures(camera, *span)):
        if number % every == 0:
            sample.append(picture)
        if film is not None:
            film.add(picture)
        else:
            data.columns.setdefault(_key(camera), []).append({"bytes": png(picture), "path": None})
    return picture_stats(sample)


def _add_episode(data: _Dataset, stats: dict[str, Stats], task: str, length: int) -> None:
    place = {"chunk_index": 0, "file_index": 0}
    row: dict[str, Any] = {"episode_index": len(data.episodes), "tasks": [task], "length": length}
    row |= {f"data/{name}": value for name, value in place.items()}
    row |= {"dataset_from_index": data.frames, "dataset_to_index": data.frames + length}
    if data.pictures == "video":
        for camera in data.sizes:
            row |= {f"videos/{_key(camera)}/{name}": value for name, value in place.items()}
            row[f"videos/{_key(camera)}/from_timestamp"] = data.frames / data.fps
            row[f"videos/{_key(camera)}/to_timestamp"] = (data.frames + length) / data.fps
    for name, found in stats.items():
        data.stats.setdefault(name, []).append(found)
        row |= {f"stats/{name}/{key}": value for key, value in plain(found).items()}
    data.episodes.append(row | {f"meta/episodes/{name}": value for name, value in place.items()})


def _write(data: _Dataset) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    (data.out / "data/chunk-000").mkdir(parents=True)
    (data.out / "meta/episodes/chunk-000").mkdir(parents=True)
    pq.write_table(_data_table(data), data.out / f"data/{_CHUNK}.parquet")
    pq.write_table(pa.Table.from_pylist(data.episodes), data.out / f"meta/episodes/{_CHUNK}.parquet")
    pq.write_table(_task_table(data.tasks), data.out / "meta/tasks.parquet")
    _json(data.out / "meta/stats.json", {name: plain(together(parts)) for name, parts in data.stats.items()})
    _json(data.out / "meta/info.json", _info(data))
    _json(data.out / "meta/proctor.json", {"unit": data.unit.value, "joints": list(JOINTS), "trials": data.sources})
    save_unit(data.out, UnitRecord(data.unit))


def _json(path: Path, values: Any) -> None:
    path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")


def _data_table(data: _Dataset) -> Any:
    import pyarrow as pa

    six = pa.list_(pa.float32(), len(JOINTS))
    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    types = {"action": six, "observation.state": six, "timestamp": pa.float32()}
    types |= dict.fromkeys(_COUNTERS, pa.int64()) | {_key(camera): picture for camera in data.sizes}
    return pa.table({name: pa.array(values, types[name]) for name, values in data.columns.items()})


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


def _info(data: _Dataset) -> dict[str, Any]:
    return {
        "codebase_version": "v3.0",
        "robot_type": "so101_follower",
        "total_episodes": len(data.episodes),
        "total_frames": data.frames,
        "total_tasks": len(data.tasks),
        "chunks_size": 1000,
        "data_files_size_in_mb": 100,
        "video_files_size_in_mb": 200,
        "fps": int(data.fps) if float(data.fps).is_integer() else data.fps,
        "splits": {"train": f"0:{len(data.episodes)}"},
        "data_path": "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
        "video_path": "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4"
        if data.pictures == "video" and data.sizes
        else None,
        "features": dict(_features(data)),
    }


def _features(data: _Dataset) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ("action", "observation.state"):
        yield name, {"dtype": "float32", "shape": [len(JOINTS)], "names": _NAMES}
    for camera, (width, height) in data.sizes.items():
        feature: dict[str, Any] = {"dtype": data.pictures, "shape": [height, width, 3]}
        feature["names"] = ["height", "width", "channels"]
        if data.pictures == "video":
            about = {"height": height, "width": width, "codec": "h264", "pix_fmt": "yuv420p"}
            about |= {"is_depth_map": False, "fps": data.fps, "channels": 3}
            feature["info"] = {**{f"video.{key}": value for key, value in about.items()}, "has_audio": False}
        yield _key(camera), feature
    yield "timestamp", {"dtype": "float32", "shape": [1], "names": None}
    for name in _COUNTERS:
        yield name, {"dtype": "int64", "shape": [1], "names": None}
