"""Which objects a reference picture says must stand on the floor, and where."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ._floor import Floor
from ._match import overlap
from ._objects import Blob, blob_of, colour_name, find_blobs, to_lab
from ._reference import Annotation, SceneReference, SceneReferenceError

# A point may miss its object by this much.
_NEAR_PX: Final = 15.0
_SAME_OUTLINE: Final = 0.7


@dataclass(frozen=True, eq=False)
class Expected:
    """An object of the reference. ``by_looks``: it was outlined because colour does not part it from the floor."""

    name: str
    blob: Blob
    by_looks: bool = False


@functools.lru_cache(maxsize=8)
def expected_objects(reference: SceneReference, floor: Floor) -> tuple[Expected, ...]:
    """Return the objects of a reference, under the names that somebody gave them, else under their colours.

    The last few references are remembered: a gate looks at one of them many times.
    """
    lab = to_lab(reference.picture)
    blobs = find_blobs(reference.picture, floor)
    named: dict[int, str] = {}
    outlined = []
    for annotation in reference.annotations:
        at = _blob_of(annotation, blobs)
        if at is not None:
            named[at] = annotation.name
        elif annotation.polygon:
            mask = annotation.mask()
            if not mask.any():
                raise SceneReferenceError(
                    f"{reference.source}: the outline of {annotation.name!r} lies outside the picture"
                )
            outlined.append(Expected(annotation.name, blob_of(mask, lab), by_looks=True))
        else:
            raise SceneReferenceError(
                f"{reference.source}: nothing to be seen at {annotation.at} where {annotation.name!r} should be; give "
                "its outline as a polygon"
            )
    found = [
        Expected(named.get(i, ""), blob)
        for i, blob in enumerate(blobs)
        if i in named or not any(_mostly_inside(blob, other.blob) for other in outlined)
    ]
    return (*_all_named(found), *outlined)


def _blob_of(annotation: Annotation, blobs: Sequence[Blob]) -> int | None:
    """Return the index of the blob that an annotation means."""
    if annotation.polygon:
        mask = annotation.mask()
        good = [i for i, blob in enumerate(blobs) if overlap(blob.mask, mask) > _SAME_OUTLINE]
        return good[0] if good else None
    near = []
    for i, blob in enumerate(blobs):
        rows, columns = np.nonzero(blob.mask)
        distance = np.hypot(columns + 0.5 - annotation.at[0], rows + 0.5 - annotation.at[1]).min()  # type: ignore[index]
        near.append((float(distance), i))
    distance, best = min(near, default=(_NEAR_PX, -1))
    return best if distance < _NEAR_PX else None


def _mostly_inside(blob: Blob, other: Blob) -> bool:
    return int((blob.mask & other.mask).sum()) > blob.area / 2


def _all_named(objects: list[Expected]) -> list[Expected]:
    taken = {item.name for item in objects}
    out = []
    for item in objects:
        name = item.name
        if not name:
            base = f"{colour_name(item.blob.lab)} object"
            name = next(text for text in (base, *(f"{base} {n}" for n in range(2, 99))) if text not in taken)
            taken.add(name)
        out.append(Expected(name, item.blob, item.by_looks))
    return out
