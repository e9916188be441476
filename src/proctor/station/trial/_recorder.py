"""Records one trial into its folder while it runs: films, frame times, telemetry, meta.json.

Files grow on the disk from the first moment, so a killed program loses at most the last second; `recover` settles what
it left. The recorder has a thread of its own: neither the bus nor the policy waits for a disk.
"""

from __future__ import annotations

import fcntl
import os
import queue
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from proctor.station.arm import Calibration, Cycle
from proctor.station.camera import CameraError

from ._cameras import StationCameras
from ._film import Film
from ._settle import LOCK, META, settle_trial, write_json
from ._telemetry import FRAMES_STREAM, STREAM, Stream, frames_schema, telemetry_row, telemetry_schema
from ._types import TrialError

_PART_S = 0.5


class Recorder:
    """One trial's record. `cycle` may be called from the bus loop: it only puts the reading into a queue."""

    def __init__(
        self, folder: Path, meta: Mapping[str, Any], calibration: Calibration, cameras: StationCameras, fps: float
    ) -> None:
        self.folder = folder
        self.began_s = time.monotonic()
        self.problem = ""
        self._meta = {
            **meta,
            "status": "running",
            "fps": fps,
            "cameras": list(cameras.names),
            "began_unix": time.time(),
        }
        self._calibration, self._cameras, self._fps = calibration, cameras, fps
        self._cycles: queue.SimpleQueue[tuple[Cycle, int, str]] = queue.SimpleQueue()
        self._frame_rows: list[dict[str, Any]] = []
        self._due = 0
        self._ending = threading.Event()
        self._open()
        self._films = {name: Film(folder / f"{name}.mp4", fps, self._lock.fileno()) for name in cameras.names}
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def _open(self) -> None:
        try:
            self.folder.mkdir(parents=True)
        except FileExistsError:
            raise TrialError(
                f"{self.folder} exists: a trial is recorded once; give the next attempt another id"
            ) from None
        except OSError as error:
            raise TrialError(f"cannot make {self.folder}: {error.strerror}") from error
        # Held as long as this process lives: `recover` leaves a trial alone that is still being recorded.
        self._lock = (self.folder / LOCK).open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        write_json(self.folder / META, self._meta)
        more = {"proctor.trial": str(self._meta.get("trial", ""))}
        self._telemetry = Stream(self.folder / STREAM, telemetry_schema(self._calibration, more))
        self._frames = Stream(self.folder / FRAMES_STREAM, frames_schema(more))

    def cycle(self, cycle: Cycle, step: int, phase: str) -> None:
        """Take one turn of the bus loop; returns at once."""
        self._cycles.put((cycle, step, phase))

    def mark(self, **values: Any) -> None:
        """Add facts to ``meta.json`` now."""
        self._meta.update(values)
        write_json(self.folder / META, self._meta)

    def finish(self, **values: Any) -> None:
        """End the record and settle its files. Called once."""
        self._ending.set()
        self._thread.join()
        for film in self._films.values():
            try:
                film.close()
            except TrialError as error:
                self.problem = self.problem or str(error)
        self._telemetry.close()
        self._frames.close()
        if self.problem:
            values["record_problem"] = self.problem
        self._meta.update(values)
        settle_trial(self.folder, self._meta)
        self._lock.close()
        (self.folder / LOCK).unlink(missing_ok=True)

    # --- the thread

    def _run(self) -> None:
        next_part = self.began_s + _PART_S
        while not self._ending.wait(max(0.0, self._next_frame_s() - time.monotonic())):
            self._film()
            if time.monotonic() >= next_part:
                self._write_rows()
                next_part = time.monotonic() + _PART_S
        self._film()
        self._write_rows()

    def _next_frame_s(self) -> float:
        # Counted by the clock, not by a film: a lost camera's film does not grow.
        return self.began_s + self._due / self._fps

    def _film(self) -> None:
        """Bring every film up to the present, with the newest picture of each camera."""
        wanted = self._due = int((time.monotonic() - self.began_s) * self._fps) + 1
        rows = []
        for name, film in self._films.items():
            missing = wanted - film.frames
            if missing <= 0 or self.problem:
                continue
            try:
                frame = self._cameras.frame(name)
                first = film.frames
                film.add(frame.image, missing)
            except CameraError:
                # The trial's own watch ends it; this film stops here.
                continue
            except TrialError as error:
                self.problem = str(error)
                continue
            taken = frame.time_s - self.began_s
            rows += [
                {"camera": name, "frame": n, "time_s": n / self._fps, "taken_s": taken}
                for n in range(first, film.frames)
            ]
        self._frame_rows += rows

    def _write_rows(self) -> None:
        rows = []
        while not self._cycles.empty():
            cycle, step, phase = self._cycles.get()
            rows.append(telemetry_row(cycle, self.began_s, self._calibration, step, phase))
        frames, self._frame_rows = self._frame_rows, []
        try:
            self._telemetry.append(rows)
            self._frames.append(frames)
        except OSError as error:
            self.problem = f"the disk does not take the record: {os.strerror(error.errno or 0)}"
