"""Pictures: by title, style or what they look like; cubes that name a style."""

from __future__ import annotations

from collections.abc import Sequence

from ._answer import Answer, answer, wish
from ._cues import cued, meant
from ._matter import before
from ._scene import Scene, Thing
from ._text import mentioned, said


def read_pictures(text: str, scene: Scene) -> list[Answer]:
    """Return what is asked for about paintings."""
    boards = scene.of("painting")
    if scene.has("number_cube"):
        return _matched(scene.of("number_cube"), boards)
    found = _one(text, boards)
    if said(text, r"\bbutton\b"):
        return [answer(wish(button)) for board in found for button in before(board, scene)]
    return [answer(wish(cube.name, board.name)) for board in found for cube in scene.of("cube")]


def _one(text: str, boards: Sequence[Thing]) -> list[Thing]:
    titles = mentioned(text, [board.look("title") for board in boards])
    if titles:
        return [board for board in boards if board.look("title") in titles]
    return cued(text, boards, "style") or []


def _matched(cubes: Sequence[Thing], boards: Sequence[Thing]) -> list[Answer]:
    """Return the one way to put every cube on a board of the style it names."""
    fitting = {cube.name: _of_style(cube.look("text"), boards) for cube in cubes}
    if any(len(found) != 1 for found in fitting.values()):
        return []
    return [answer(*(wish(name, found[0]) for name, found in fitting.items()))]


def _of_style(word: str, boards: Sequence[Thing]) -> list[str]:
    styles = meant(word, "painting") or set()
    return [board.name for board in boards if board.look("style") in styles]
