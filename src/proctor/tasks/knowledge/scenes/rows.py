"""Rows of small things: cards in a holder, tiles before a mat, tubes and flowers in stands, balls on their table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, SitePlace, Spot
from ._furniture import fixture

CARD_PITCH_M, CARDS_X, RACK_X = 0.075, -0.02, -0.24
TILES_X, MAT_X, TILE_PITCH_M, TILE_CLOSE_M = 0.0, -0.20, 0.062, 0.042
TUBES_X, TUBE_PITCH_M, TUBE_ROW_M = -0.12, 0.045, 0.06
STAND_X, STAND_PITCH_M = -0.10, 0.06
BILLIARDS_X = -0.12
POCKETS = ("left_top", "left_middle", "left_bottom", "right_top", "right_middle", "right_bottom")
AWAY = math.pi


def holder(scene: SceneText, sampler: Sampler, slots: int, x: float = CARDS_X, *, name: str = "cardholder") -> str:
    """Put a holder with ``slots`` places for cards; return its name."""
    return fixture(
        scene, sampler, "cardholder", x, sampler.uniform(-0.02, 0.02), name=name, turn=0.02, slots=str(slots)
    )


def cards_in(
    scene: SceneText, rack: str, cards: Sequence[ScenePiece], x: float, away: Sequence[int] = ()
) -> tuple[str, ...]:
    """Put cards into the slots of a holder from left to right; those at the places ``away`` show their back."""
    middle = (len(cards) - 1) / 2
    return tuple(
        scene.put(
            card,
            SitePlace(
                f"{rack}/slot{i + 1}",
                None,
                (x, round(CARD_PITCH_M * (middle - i), 4)),
                rack,
                AWAY if i in away else 0.0,
            ),
            relation="In",
        )
        for i, card in enumerate(cards)
    )


def card_row(sampler: Sampler, cards: Sequence[ScenePiece]) -> tuple[SceneText, str, tuple[str, ...]]:
    """Return a scene with cards in one holder, its name and theirs."""
    sampler = sampler.of("scene")
    scene = SceneText()
    rack = holder(scene, sampler, len(cards), -0.08)
    return scene, rack, cards_in(scene, rack, cards, -0.08)


def tile_row(
    sampler: Sampler, tiles: Sequence[ScenePiece], *, spare: Sequence[ScenePiece] = (), away: bool = False
) -> tuple[SceneText, str, tuple[str, ...], tuple[str, ...]]:
    """Return a scene with standing tiles, ``spare`` ones apart from them (facing away if asked), and a mat.

    Returns the scene, the mat's name, the tiles' and the spare ones' names from left to right.
    """
    sampler = sampler.of("scene")
    scene = SceneText()
    mat = fixture(scene, sampler, "placemat", MAT_X, sampler.uniform(-0.12, 0.12), turn=0.05)
    pitch = TILE_PITCH_M if len(tiles) < 9 else TILE_CLOSE_M
    x = TILES_X + 0.02 if spare else TILES_X
    names = _standing(scene, tiles, x, pitch, 0.0)
    return scene, mat, names, _standing(scene, spare, x - 0.08, 0.10, AWAY if away else 0.0)


def _standing(scene: SceneText, tiles: Sequence[ScenePiece], x: float, pitch: float, yaw: float) -> tuple[str, ...]:
    middle = (len(tiles) - 1) / 2
    turn = 0.05 if pitch > TILE_CLOSE_M else 0.02
    return tuple(
        scene.put(tile, Spot(x, round(pitch * (middle - i), 4), 0.003, 0.002, (yaw - turn, yaw + turn)))
        for i, tile in enumerate(tiles)
    )


def tube_cell(stand: str, cell: int) -> SitePlace:
    """Return hole ``cell``, 0 to 7: row by row from the near left."""
    row, column = divmod(cell, 4)
    at = (round(TUBES_X + TUBE_ROW_M * (row - 0.5), 4), round(TUBE_PITCH_M * (1.5 - column), 4))
    return SitePlace(f"{stand}/slot{cell + 1}", None, at, f"{stand}/slot{cell + 1}")


def tube_stand(
    sampler: Sampler, tubes: Mapping[int, ScenePiece], labels: Mapping[int, str], *, flask: bool = False
) -> tuple[SceneText, str, tuple[str, ...], str]:
    """Return a scene with tubes in cells of a 2 x 4 stand, names on its cells, and where asked a flask beside it.

    Returns the scene, the stand's name, the tubes' names by cell, and the flask's.
    """
    sampler = sampler.of("scene")
    scene = SceneText()
    y = sampler.uniform(-0.04, 0.04) if not flask else sampler.uniform(0.08, 0.11)
    text = "|".join(labels.get(cell, "") for cell in range(8))
    stand = fixture(scene, sampler, "tubestand", TUBES_X, y, turn=0.02, labels=text)
    names = tuple(scene.put(tubes[cell], tube_cell(stand, cell), relation="In") for cell in sorted(tubes))
    bottle = fixture(scene, sampler, "flask", 0.0, sampler.uniform(-0.16, -0.12)) if flask else ""
    return scene, stand, names, bottle


def flower_stand(
    sampler: Sampler, flowers: Sequence[ScenePiece], vases: int = 1
) -> tuple[SceneText, str, tuple[str, ...], tuple[str, ...]]:
    """Return a scene with flowers in a stand and one or two vases; also the stand, the flowers and the vases."""
    sampler = sampler.of("scene")
    scene = SceneText()
    side = 1 if sampler.rng.integers(2) else -1
    y = 0.0 if vases == 2 else round(0.14 * side, 4)
    stand = fixture(scene, sampler, "flowerstand", STAND_X, y, slots=str(len(flowers)))
    middle = (len(flowers) - 1) / 2
    names = tuple(
        scene.put(
            flower,
            SitePlace(f"{stand}/slot{i + 1}", None, (STAND_X, round(y + STAND_PITCH_M * (middle - i), 4)), stand),
            relation="In",
        )
        for i, flower in enumerate(flowers)
    )
    places = [0.26, -0.26] if vases == 2 else [round(-0.20 * side, 4)]
    made = tuple(fixture(scene, sampler, "flower_vase", STAND_X - 0.03, place, name="vase") for place in places)
    return scene, stand, names, made


def billiards(sampler: Sampler, balls: Sequence[ScenePiece]) -> tuple[SceneText, str, tuple[str, ...]]:
    """Return a scene with balls spread over the bed of a table, its name and theirs."""
    sampler = sampler.of("scene")
    scene = SceneText()
    bed = fixture(scene, sampler, "billiard_table", BILLIARDS_X, 0.0, slack=0.008, turn=0.02)
    cells = sampler.sample([(x, y) for x in (-0.10, 0.0, 0.10) for y in (-0.09, 0.0, 0.09)], len(balls))
    names = tuple(
        scene.put(
            ball,
            SitePlace(
                f"{bed}/bed", Spot(x, y, 0.008, 0.008, (-3.0, 3.0)), (round(BILLIARDS_X + x, 4), y), f"{bed}/bed"
            ),
        )
        for ball, (x, y) in zip(balls, cells, strict=True)
    )
    return scene, bed, names


def pockets(bed: str) -> tuple[str, ...]:
    return tuple(f"{bed}/{pocket}" for pocket in POCKETS)
