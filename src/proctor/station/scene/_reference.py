"""Reference pictures: how a scene must look, and what is in it.

A reference is a 640 x 480 picture of the policy's view. The public repository of VLA-REPLICA holds one per scene
(``tasks/{ID,OOD}/referencePics/taskNN/picK.jpg``); a station can also take its own (``scene_07.png``). Beside the
picture may lie a file of the same name that ends in ``.json`` and names objects, outlines where colour will not do:

    {"objects": [{"name": "red plate", "at": [317, 390]}, {"name": "fork", "polygon": [[149, 470], [240, 443], ...]}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError
from proctor.station.camera import VIEW_SIZE, Picture

from ._scenes import StationScene


class SceneReferenceError(ProctorError):
    """A reference cannot be found or read."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """What somebody has said about one object: its name, and a point on it or its outline, in pixels of the view."""

    name: str
    at: tuple[float, float] | None = None
    polygon: tuple[tuple[float, float], ...] = ()

    def mask(self) -> NDArray[np.bool_]:
        """Return the pixels inside the outline."""
        import cv2

        across, down = VIEW_SIZE
        mask = np.zeros((down, across), np.uint8)
        cv2.fillPoly(mask, [np.round(np.array(self.polygon) - 0.5).astype(np.int32)], 1)
        return mask > 0


@dataclass(frozen=True, eq=False)
class SceneReference:
    """A picture of the policy's view [480, 640, 3] and what is known about the objects in it."""

    picture: Picture
    annotations: tuple[Annotation, ...] = ()
    source: str = "reference"


def reference_path(scene: StationScene, folder: Path) -> Path:
    """Return a scene's reference picture in ``folder``: a checkout of VLAReplica, or the station's own pictures."""
    own = folder / f"scene_{scene.id:02d}.png"
    public = Path(scene.split, "referencePics", f"task{scene.task.number:02d}", f"pic{scene.variant}.jpg")
    for path in (own, folder / "tasks" / public, folder / public):
        if path.is_file():
            return path
    if not folder.is_dir():
        raise SceneReferenceError(
            f"{folder}: no such folder; give your checkout of VLAReplica or a folder of captured references"
        )
    raise SceneReferenceError(
        f"{folder}: no reference of scene {scene.id} ({scene.name}): neither {own.name} nor tasks/{public}; take one "
        f"with 'proctor station scene capture {scene.id}'"
    )


def load_reference(path: Path) -> SceneReference:
    """Return a reference picture with the annotations beside it."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as image:
            if image.size != VIEW_SIZE:
                wide, high = image.size
                raise SceneReferenceError(
                    f"{path}: {wide} x {high} pixels; a reference is the policy's view, 640 x 480"
                )
            picture: Picture = np.asarray(image.convert("RGB"), np.uint8)
    except (OSError, UnidentifiedImageError) as error:
        raise SceneReferenceError(f"{path}: not a picture that can be read: {error}") from error
    return SceneReference(picture, load_annotations(path.with_suffix(".json")), str(path))


def save_reference(picture: Picture, path: Path, annotations: Iterable[Annotation] = ()) -> None:
    """Write a reference without loss, and its annotations beside it."""
    from PIL import Image

    if picture.shape != (VIEW_SIZE[1], VIEW_SIZE[0], 3):
        raise SceneReferenceError(
            f"{path}: the picture has shape {picture.shape}; a reference is the policy's view, 480 x 640 x 3"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(picture).save(path)
    entries = [_entry(annotation) for annotation in annotations]
    if entries:
        path.with_suffix(".json").write_text(json.dumps({"objects": entries}, indent=1) + "\n", encoding="utf-8")


def load_annotations(path: Path) -> tuple[Annotation, ...]:
    """Return the annotations in a file; none when there is no file."""
    if not path.exists():
        return ()
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["objects"]
        found = tuple(_annotation(entry) for entry in entries)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SceneReferenceError(
            f'{path}: not annotations ({error}); write {{"objects": [{{"name": ..., "at": [x, y]}}]}} or "polygon"'
        ) from error
    names = [annotation.name for annotation in found]
    for name in names:
        if names.count(name) > 1:
            raise SceneReferenceError(f"{path}: two objects are called {name!r}: give each its own name")
    return found


def _annotation(entry: dict[str, Any]) -> Annotation:
    polygon = tuple((float(x), float(y)) for x, y in entry.get("polygon", ()))
    at = entry.get("at")
    if not polygon and at is None:
        raise ValueError(f"{entry['name']!r} has neither a point nor an outline")
    if 0 < len(polygon) < 3:
        raise ValueError(f"the outline of {entry['name']!r} has fewer than three corners")
    return Annotation(str(entry["name"]), None if at is None else (float(at[0]), float(at[1])), polygon)


def _entry(annotation: Annotation) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": annotation.name}
    if annotation.at is not None:
        entry["at"] = list(annotation.at)
    if annotation.polygon:
        entry["polygon"] = [list(point) for point in annotation.polygon]
    return entry
