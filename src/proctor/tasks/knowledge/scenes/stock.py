"""Things that stand in furniture: cool box, fridge, bookshelf."""

from __future__ import annotations

from collections.abc import Sequence

from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, SitePlace, Spot
from ._furniture import fixture, receptacle

COOLBOX_X, FRIDGE_X, SHELF_X = 0.03, 0.02, 0.04
BESIDE_X = -0.25
BOOKS_X, BOOKS_Y = -0.10, 0.22
BOOK_PITCH_M, SPOT_PITCH_M, LAYER_M = 0.074, 0.13, 0.06
PER_SHELF = 3


def _row(sampler: Sampler, name: str, shelf: int, count: int, x: float) -> list[SitePlace]:
    """Return ``count`` of the three places of a shelf from left to right."""
    columns = sorted(sampler.sample(range(PER_SHELF), count))
    return [
        SitePlace(
            f"{name}/spot{PER_SHELF * (shelf - 1) + column + 1}",
            Spot(0.0, 0.0, 0.008, 0.012, (-0.05, 0.05)),
            (x, round(SPOT_PITCH_M * (1 - column), 4)),
            f"{name}/shelf{shelf}",
        )
        for column in columns
    ]


def on_shelves(
    sampler: Sampler, category: str, shelves: Sequence[Sequence[ScenePiece]], *, board: str = ""
) -> tuple[SceneText, str, tuple[str, ...], str]:
    """Return a scene with a cool box or fridge that holds ``shelves``, the lowest first.

    Returns the scene, the fixture's name, the things' names shelf by shelf from left to right, and the name of a
    ``board`` (a category) before it, where one is wanted.
    """
    sampler = sampler.of("scene")
    scene = SceneText()
    x = COOLBOX_X if category == "coolbox" else FRIDGE_X
    y = sampler.uniform(-0.03, 0.03)
    if category == "coolbox":
        name = fixture(scene, sampler, category, x, y, shelves=str(len(shelves)))
    else:
        name = fixture(scene, sampler, category, x, y)
    names: list[str] = []
    for number, pieces in enumerate(shelves, start=1):
        depth = 0.0 if len(shelves) == 1 else LAYER_M * (2 * number - 3)
        niches = _row(sampler, name, number, len(pieces), x + depth)
        names += [scene.put(piece, place) for piece, place in zip(pieces, niches, strict=True)]
    beside = ""
    if board:
        stem = "plate" if board == "serving_plate" else board
        beside = receptacle(scene, sampler, board, BESIDE_X, sampler.uniform(-0.12, 0.12), name=stem)
    return scene, name, tuple(names), beside


def shelf_with(
    scene: SceneText, sampler: Sampler, layers: int, slots: int, *, x: float = SHELF_X, y: float = 0.0
) -> str:
    """Put a bookshelf; return its name."""
    return fixture(scene, sampler, "shelf", x, y, layers=str(layers), slots=str(slots))


def slot(shelf: str, number: int, slots: int, *, x: float = SHELF_X, layer: int = 1) -> SitePlace:
    """Return slot ``number``, counted from 1 at the left over all layers, the lower first."""
    column = (number - 1) % slots
    y = round(BOOK_PITCH_M * ((slots - 1) / 2 - column), 4)
    return SitePlace(f"{shelf}/slot{number}", None, (x, y), f"{shelf}/layer{layer}")


def on_bookshelf(
    sampler: Sampler, layers: Sequence[Sequence[ScenePiece]], slots: int, y: float = 0.0
) -> tuple[SceneText, str, tuple[str, ...]]:
    """Return a scene with books in slots of a shelf, the lower layer first, side by side from a random slot on."""
    sampler = sampler.of("scene")
    scene = SceneText()
    shelf = shelf_with(scene, sampler, len(layers), slots, y=round(y + sampler.uniform(-0.02, 0.02), 4))
    names: list[str] = []
    for layer, pieces in enumerate(layers, start=1):
        first = sampler.between(1, slots - len(pieces) + 1)
        for column, piece in enumerate(pieces, start=first):
            place = slot(shelf, (layer - 1) * slots + column, slots, layer=layer)
            names.append(scene.put(piece, place, relation="In"))
    return scene, shelf, tuple(names)


def books_before(
    sampler: Sampler, books: Sequence[ScenePiece], layers: int, slots: int
) -> tuple[SceneText, str, tuple[str, ...]]:
    """Return a scene with an empty bookshelf and books that stand before it, spines to the robot.

    The shelf is at the far right, the books stand in a low rack at the left, 9 cm apart so that a hand takes one.
    """
    scene = SceneText()
    shelf = shelf_with(scene, sampler, layers, slots, y=-0.16)
    rack = fixture(scene, sampler, "shelf", BOOKS_X, BOOKS_Y, name="rack", layers="1", slots=str(max(3, len(books))))
    names = tuple(
        scene.put(
            book,
            SitePlace(f"{rack}/slot{i + 1}", None, (BOOKS_X, round(BOOKS_Y + BOOK_PITCH_M * (1 - i), 4)), rack),
            relation="In",
        )
        for i, book in enumerate(books)
    )
    return scene, shelf, names
