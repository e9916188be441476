"""Checks the scene again and again while the operator lays it out, and says on the page what is wrong."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from proctor.core import ProctorError
from proctor.station.camera import CameraError, CameraThread, Picture
from proctor.station.scene import SceneReference, check_scene

if TYPE_CHECKING:
    from proctor.station.scene import GateResult, Tolerance


# Pictures for the page.

WIDEST_PX: Final = 640
_QUALITY: Final = 80


def to_jpeg(picture: Picture) -> bytes:
    """Return a JPEG file, at most 640 pixels wide."""
    import cv2

    height, width = picture.shape[:2]
    small = picture
    if width > WIDEST_PX:
        small = cv2.resize(picture, (WIDEST_PX, round(height * WIDEST_PX / width)), interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", small[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    if not done:
        raise CameraError("a picture could not be written as JPEG")
    return bytes(data)


_PERIOD_S: Final = 0.7


class Gatekeeper:
    """Compares the top camera with the reference of a scene, which ``find`` returns (None: there is none)."""

    def __init__(
        self, camera: CameraThread, find: Callable[[str], SceneReference | None], tolerance: Tolerance | None = None
    ) -> None:
        self._camera = camera
        self._find = find
        self._tolerance = tolerance
        self._lock = threading.Lock()
        self._scene = ""
        self._reference: SceneReference | None = None
        self._jpeg = b""
        self._live: GateResult | None = None
        self._live_s = 0.0
        self._wanted = threading.Event()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gatekeeper", daemon=True)
        self._thread.start()

    def watch(self, scene: str, laying_out: bool) -> None:
        """Say which scene is on, and whether it is being laid out."""
        if scene != self._scene:
            with self._lock:
                self._scene, self._live = scene, None
                self._reference = self._find(scene)
                self._jpeg = to_jpeg(self._reference.picture) if self._reference else b""
        if laying_out and self._reference is not None:
            self._wanted.set()
        else:
            self._wanted.clear()
            self._live = None

    @property
    def reference_jpeg(self) -> bytes:
        """The reference as a JPEG file; empty without one."""
        return self._jpeg

    @property
    def live(self) -> GateResult | None:
        """The latest measurement while the scene is laid out."""
        return self._live

    def check(self) -> tuple[GateResult, bytes]:
        """Measure a picture taken now; return the verdict and the picture as JPEG."""
        reference = self._reference
        if reference is None:
            raise ProctorError(
                "there is no reference picture of this scene: take one with 'proctor station scene capture', or accept "
                "the scene with a reason"
            )
        frame = self._camera.fresh()
        result = check_scene(reference, frame.image, self._tolerance)
        with self._lock:
            self._keep(result, frame.time_s)
        return result, to_jpeg(frame.image)

    def close(self) -> None:
        """Stop measuring."""
        self._ending.set()
        self._wanted.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            if self._ending.wait(_PERIOD_S):
                return
            with self._lock:
                scene, reference = self._scene, self._reference
            if reference is None or not self._wanted.is_set():
                continue
            try:
                frame = self._camera.latest()
                result = check_scene(reference, frame.image, self._tolerance)
            except CameraError:
                continue
            with self._lock:
                if scene == self._scene and self._wanted.is_set():
                    self._keep(result, frame.time_s)

    def _keep(self, result: GateResult, taken_s: float) -> None:
        """Show a measurement, unless one of a later picture is shown: measuring takes a while, and two may overlap."""
        if self._live is None or taken_s >= self._live_s:
            self._live, self._live_s = result, taken_s


def gate_view(result: GateResult) -> dict[str, Any]:
    """Return a verdict as the page shows it: one line per thing, an arrow per object to be moved."""
    spoken = list(result.advice)
    about_extra = [spoken.pop() for _ in result.extra][::-1]
    about_objects = dict(zip(result.wrong, spoken[len(spoken) - len(result.wrong) :], strict=True))
    about_rest = spoken[: len(spoken) - len(result.wrong)]
    lines: list[dict[str, Any]] = [_line("Station", False, text) for text in about_rest]
    if not about_rest:
        lines.append(_line("Camera and light", True, "as in the reference"))
    arrows = []
    for item in result.objects:
        said = about_objects.get(item.name, "")
        text = _short(said, item.name) if said else f"{item.distance_mm:.0f} mm off"
        angle = None
        if said and item.seen_px is not None and item.distance_mm > result.tolerance.object_mm:
            (x0, y0), (x1, y1) = item.seen_px, item.expected_px
            angle = round(math.degrees(math.atan2(y1 - y0, x1 - x0)), 1)
            arrows.append(
                {
                    "from": [round(x0, 1), round(y0, 1)],
                    "to": [round(x1, 1), round(y1, 1)],
                    "text": f"{item.name} {item.distance_mm:.0f} mm",
                }
            )
        lines.append(_line(item.name, not said, text, angle))
    lines += [_line("Too much", False, text) for text in about_extra]
    lines.sort(key=lambda line: line["ok"])
    return {"ok": result.ok, "lines": lines, "arrows": arrows}


def _line(name: str, ok: bool, text: str, angle_deg: float | None = None) -> dict[str, Any]:
    return {"name": name[:1].upper() + name[1:], "ok": ok, "text": text, "angle_deg": angle_deg}


def _short(advice: str, name: str) -> str:
    """Leave out of an advice the name that stands before it anyway: ``12 mm left``."""
    for start in (f"move the {name} ", f"the {name} is "):
        if advice.startswith(start):
            return advice.removeprefix(start)
    return advice


def save_picture(folder: Path, trial: str, jpeg: bytes) -> str:
    """Keep the picture on which a scene was accepted; return its name in the session's folder."""
    path = folder / "scenes" / f"{trial}.jpg"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(jpeg)
    return f"scenes/{path.name}"
