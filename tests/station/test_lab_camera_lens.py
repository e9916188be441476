"""The lens from drawn boards with a known lens, and what is refused."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from proctor.cli.station import app
from proctor.station.camera import (
    BoardView,
    CameraError,
    Lens,
    Picture,
    calibrate_lens,
    drawn_board,
    find_board,
    load_lens,
    parse_board,
    save_lens,
)
from proctor.station.geometry import rotation_rpy

# Small pictures: the finder's time grows with their area.
TRUE = Lens(640, 360, 322.9, 322.7, 320.4, 184.5)
run = CliRunner()


def pictures(text: str, count: int) -> list[Picture]:
    rng = np.random.default_rng(5)
    out = []
    for i in range(count):
        roll, pitch = ((25, 10), (-25, -10), (10, 28), (-10, -28))[i % 4]
        turn = rotation_rpy((roll + rng.uniform(-8, 8), pitch + rng.uniform(-8, 8), rng.uniform(-15, 15)))
        at = np.array([rng.uniform(-0.11, 0.11), rng.uniform(-0.05, 0.05), rng.uniform(0.30, 0.45)])
        out.append(drawn_board(parse_board(text), turn, at, TRUE, rng=rng))
    return out


def views(text: str, count: int) -> list[BoardView]:
    found = [find_board(picture, parse_board(text)) for picture in pictures(text, count)]
    return [view for view in found if view is not None]


@pytest.mark.parametrize(("text", "corners"), [("8x6", 48), ("charuco:9x7", 48)])
def test_the_lens_that_drew_the_board_is_found_again(text: str, corners: int) -> None:
    seen = views(text, 12)
    assert len(seen) >= 11
    assert max(len(view.in_picture) for view in seen) == corners
    lens = calibrate_lens(seen, (TRUE.width, TRUE.height))
    assert lens.rms_px < 0.3
    assert lens.views == len(seen)
    assert (lens.fx, lens.fy) == pytest.approx((TRUE.fx, TRUE.fy), rel=0.01)
    assert (lens.cx, lens.cy) == pytest.approx((TRUE.cx, TRUE.cy), abs=1.5)


def test_a_lens_survives_its_file(tmp_path: Path) -> None:
    lens = dataclasses.replace(
        TRUE, rms_px=0.08, views=28, focal_error_px=0.2, distortion=(-0.05, 0.07, 0, 0.001, -0.02)
    )
    save_lens(lens, tmp_path / "lens.json")
    assert load_lens(tmp_path / "lens.json") == lens


def exact_views(count: int, noise_px: float, tilt_deg: float = 30) -> list[BoardView]:
    """Corners by projection, no pictures: as many and as bad as wanted."""
    rng = np.random.default_rng(1)
    grid = np.zeros((48, 3))
    grid[:, :2] = np.mgrid[:8, :6].T.reshape(-1, 2) * 0.025
    out = []
    for _ in range(count):
        turned = grid @ rotation_rpy(tuple(rng.uniform(-tilt_deg, tilt_deg, 3))).T + (
            -0.1,
            -0.06,
            rng.uniform(0.35, 0.6),
        )
        seen = turned @ TRUE.matrix().T
        pixels = seen[:, :2] / seen[:, 2:] + rng.normal(0, noise_px, (48, 2))
        out.append(BoardView(grid.astype(np.float32), pixels.astype(np.float32)))
    return out


@pytest.mark.parametrize(
    ("seen", "message"),
    [
        (exact_views(1, 0.05), "found in 1 pictures; at least 8"),
        (exact_views(12, 0.6), "residual 0\\.[4-9]. px is above 0.3 px"),
        (exact_views(10, 0.05, tilt_deg=0.2), "focal length is uncertain"),
    ],
    ids=["one view, as the paper's", "blurred", "never tilted"],
)
def test_what_cannot_be_believed_is_refused(seen: list[BoardView], message: str) -> None:
    with pytest.raises(CameraError, match=message):
        calibrate_lens(seen, (TRUE.width, TRUE.height))


def test_exact_corners_give_the_exact_lens() -> None:
    lens = calibrate_lens(exact_views(12, 0.0), (TRUE.width, TRUE.height))
    assert (lens.fx, lens.fy, lens.cx, lens.cy) == pytest.approx((TRUE.fx, TRUE.fy, TRUE.cx, TRUE.cy), abs=0.02)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "not a lens"),
        ("[1]", "not a lens"),
        ('{"format": "proctor-lens/1", "fx": 1}', "not a lens"),
        (
            json.dumps({"format": "proctor-lens/1", **dataclasses.asdict(dataclasses.replace(TRUE, fx=-1.0))}),
            "no lens has",
        ),
        (
            json.dumps({"format": "proctor-lens/1", **dataclasses.asdict(dataclasses.replace(TRUE, rms_px=2.59))}),
            "2.59 px",
        ),
    ],
)
def test_a_bad_file_is_one_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "lens.json"
    path.write_text(content)
    with pytest.raises(CameraError, match=message) as caught:
        load_lens(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["8", "8x", "charuco:2x7", "board", "8x6x2"])
def test_wrong_boards_are_refused(text: str) -> None:
    with pytest.raises(CameraError, match="write 8x6"):
        parse_board(text)


def test_the_command_calibrates_from_pictures_and_keeps_them(tmp_path: Path) -> None:
    from PIL import Image

    (tmp_path / "in").mkdir()
    for i, picture in enumerate([*pictures("charuco:9x7", 10), np.zeros((360, 640, 3), np.uint8)]):
        Image.fromarray(picture).save(tmp_path / "in" / f"{i:02d}.png")
    out, kept = tmp_path / "lens.json", tmp_path / "kept"
    command = ["camera", "intrinsics", "--camera", str(tmp_path / "in"), "--out", str(out), "--board", "charuco:9x7"]
    done = run.invoke(app, [*command, "--keep", str(kept)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert load_lens(out).fx == pytest.approx(TRUE.fx, abs=3)
    assert len(list(kept.iterdir())) == load_lens(out).views <= 10
    out.unlink()
    done = run.invoke(app, [*command, "--views", "3"])
    assert isinstance(done.exception, CameraError)
    assert not out.exists()
