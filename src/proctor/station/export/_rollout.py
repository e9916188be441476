"""A recorded trial, read back on the clock of its films."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError
from proctor.station.arm import JOINTS, JointVector, Unit, UnitRecord, convert, parse_calibration
from proctor.station.trial import FRAMES_FILE, TELEMETRY_FILE, UNIT_KEY, read_meta, recover


class ExportError(ProctorError):
    """A trial cannot be read, or trials do not fit into one dataset."""


@dataclass(frozen=True, eq=False)
class Rollout:
    """One trial: ``meta`` as recorded, ``telemetry`` by column; seconds count from the beginning of the record."""

    folder: Path
    meta: dict[str, Any]
    telemetry: dict[str, NDArray[Any]]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def fps(self) -> float:
        """Pictures per second of all its films."""
        return float(self.meta["fps"])

    @property
    def cameras(self) -> tuple[str, ...]:
        return tuple(name for name in self.meta.get("cameras", []) if (self.folder / f"{name}.mp4").exists())

    def span(self) -> tuple[int, int]:
        """Return the first film frame in which the policy moves the arm, and the one after the last."""
        began = self.meta.get("policy_began_s")
        if began is None:
            running = self.telemetry["time_s"][self.telemetry["phase"] == "running"]
            if len(running) == 0:
                return 0, 0
            first_s, last_s = float(running[0]), float(running[-1])
        else:
            first_s, last_s = float(began), float(began) + float(self.meta["duration_s"])
        last_s = min(last_s, float(self.telemetry["time_s"][-1])) if len(self.telemetry["time_s"]) else first_s
        first = int(np.ceil(first_s * self.fps - 1e-9))
        return first, max(first, int(np.floor(last_s * self.fps + 1e-9)))

    def joints(self, kind: str, unit: Unit, times_s: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return joints [N, 6] in ``unit``: the last ``measured`` or ``command`` reading at each of ``times_s``."""
        clock = self.telemetry["measured_s" if kind == "measured" else "time_s"]
        rows = np.clip(np.searchsorted(clock, times_s + 1e-9, side="right") - 1, 0, len(clock) - 1)
        values = np.column_stack([self.telemetry[f"{kind}.{joint}"][rows] for joint in JOINTS])
        if unit is not Unit.TRUE_DEGREES:
            calibration = parse_calibration(json.dumps(self.meta["calibration"]), f"trial {self.name}")
            vectors = [convert(JointVector.of(row, Unit.TRUE_DEGREES), calibration, unit).values for row in values]
            values = np.array(vectors).reshape(-1, len(JOINTS))
        return values.astype(np.float32)

    def pictures(self, camera: str, first: int, count: int) -> Iterator[NDArray[np.uint8]]:
        """Yield ``count`` pictures of a film from frame ``first`` on; a film that ends before repeats its last one."""
        last = None
        for number, picture in enumerate(film_frames(self.folder / f"{camera}.mp4")):
            if number >= first + count:
                return
            last = picture
            if number >= first:
                yield picture
        if last is None:
            raise ExportError(f"{self.folder / camera}.mp4 holds no picture that can be read")
        for _ in range(max(0, first + count - max(number + 1, first))):
            yield last


def load_rollout(folder: Path) -> Rollout:
    """Read a trial's folder; joints in another unit than true degrees are refused."""
    import pyarrow.parquet as pq

    meta = read_meta(folder)
    path = folder / TELEMETRY_FILE
    try:
        table = pq.read_table(path)
    except (OSError, ValueError) as error:
        raise ExportError(f"cannot read {path}: {error}") from error
    held = (table.schema.metadata or {}).get(UNIT_KEY.encode())
    record = UnitRecord.from_dict(json.loads(held) if held else {}, str(path))
    record.require(Unit.TRUE_DEGREES, str(path), "the export")
    columns = {name: table[name].to_numpy(zero_copy_only=False) for name in table.column_names}
    return Rollout(folder, meta, columns)


def load_rollouts(session: Path, only: Sequence[str] = (), *, every: bool = False) -> list[Rollout]:
    """Read the trials of a session in the order they were run: those that were completed, or ``every`` one.

    What a killed program left is settled first.
    """
    trials = session / "trials"
    recover(trials)
    metas = {path.parent.name: read_meta(path.parent) for path in sorted(trials.glob("*/meta.json"))}
    if not metas:
        raise ExportError(f"{session} holds no trials: give a session's folder, with trials/*/meta.json in it")
    for name in only:
        if name not in metas:
            raise ExportError(f"{session} holds no trial {name!r} (there are {', '.join(metas)})")
    wanted = [
        name
        for name, meta in metas.items()
        if name in only or (not only and (every or meta.get("status") == "completed"))
    ]
    if not wanted:
        raise ExportError(f"none of the {len(metas)} trials of {session} was completed: --all exports the others too")
    wanted.sort(key=lambda name: float(metas[name].get("began_unix", 0.0)))
    return [load_rollout(trials / name) for name in wanted]


def film_frames(path: Path) -> Iterator[NDArray[np.uint8]]:
    import imageio_ffmpeg

    width, height = film_size(path)
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24"]
    command += ["-fps_mode", "passthrough", "-loglevel", "error", "-"]
    size = width * height * 3
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as decoder:
        assert decoder.stdout is not None
        try:
            while len(data := decoder.stdout.read(size)) == size:
                yield np.frombuffer(data, np.uint8).reshape(height, width, 3)
        finally:
            decoder.kill()


def film_size(path: Path) -> tuple[int, int]:
    import imageio_ffmpeg

    try:
        reader = imageio_ffmpeg.read_frames(str(path))
        width, height = next(reader)["size"]
        reader.close()
    except (OSError, StopIteration, RuntimeError) as error:
        raise ExportError(f"{path} cannot be read as a film: {error}") from error
    return int(width), int(height)


def frame_times(folder: Path) -> dict[str, NDArray[np.float64]]:
    """Return, per camera, when the picture at each place of its film was taken."""
    import pyarrow.parquet as pq

    table = pq.read_table(folder / FRAMES_FILE)
    camera = np.array(table["camera"].to_pylist())
    taken = table["taken_s"].to_numpy()
    return {str(name): taken[camera == name] for name in np.unique(camera)}
