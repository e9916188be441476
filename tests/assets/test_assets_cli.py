"""The contact sheet shows what it says, and mistakes give one line."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from proctor.assets import categories, make, photograph, sheet
from proctor.cli.assets import app
from proctor.core import ProctorError

runner = CliRunner()


def test_sheet_writes_a_picture_with_one_cell_per_instance(tmp_path):
    out = tmp_path / "new" / "sheet.png"
    result = runner.invoke(
        app,
        ["sheet", "--out", str(out), "--category", "apple", "--category", "plate", "--instances", "3", "--size", "64"],
    )
    assert result.exit_code == 0, result.output
    assert "2 categories x 3 seeds" in result.output
    with Image.open(out) as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(float)
    cells = [pixels[28 + row * 68 :][:64, 110 + 4 + col * 68 :][:, :64] for row in range(2) for col in range(3)]
    assert all(cell.std() > 12 for cell in cells), "an empty cell"
    assert cells[0][..., 0].mean() - cells[0][..., 2].mean() > 8, "an apple is red"
    assert np.abs(cells[0] - cells[1]).mean() > 1, "siblings, not twins"


def test_long_lists_continue_to_the_right():
    page = sheet(["egg"] * 13, 1, 16)
    assert page.width == 2 * (110 + 20 + 4)
    assert page.height == 28 + 7 * 20 + 4


def test_photographs_show_the_object_in_the_middle_of_the_frame():
    """Colour differs from the ground in the centre and equals it along the border: nothing is cut off."""
    for name in ("wine_bottle", "box"):
        picture = photograph([make(name, 2)], 96)[0].astype(float)
        ground = np.median(picture[:4].reshape(-1, 3), axis=0)
        off = np.abs(picture - ground).max(-1) > 24
        assert off[30:66, 30:66].mean() > 0.25, name
        assert not off[0].any(), name


def test_colliders_look_different_from_visuals():
    seen, touched = (photograph([make("tomato", 0)], 64, colliders=c)[0].astype(float) for c in (False, True))
    assert seen[32, 32, 0] > seen[32, 32, 1]
    assert touched[32, 32, 1] > touched[32, 32, 0]


def test_ls_lists_every_category():
    result = runner.invoke(app, ["ls"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    listed = [line.split()[0] for line in result.output.splitlines()[1:] if line.strip()]
    assert listed == list(categories())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--category", "aple"], "did you mean 'apple'"),
        (["--out", "sheet.gif", "--category", "egg"], "ends in .png or .jpg"),
        (
            ["--out", "/proc/nowhere/sheet.png", "--category", "egg", "--instances", "1", "--size", "32"],
            "choose another --out",
        ),
    ],
)
def test_mistakes_are_one_line(arguments, message):
    result = runner.invoke(app, ["sheet", *arguments])
    assert isinstance(result.exception, ProctorError)
    assert message in str(result.exception)
    assert "\n" not in str(result.exception)


def test_without_opengl_one_line_says_what_to_install():
    code = "from proctor.assets import make, photograph; photograph([make('egg', 0)], 32)"
    env = {"MUJOCO_GL": "glfw", "PATH": "/usr/bin:/bin"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    last = run.stderr.strip().splitlines()[-1]
    assert run.returncode != 0
    assert last.startswith("proctor.core._errors.ProctorError: cannot render (MUJOCO_GL=glfw)")
    assert "libegl1" in last
    assert "MUJOCO_GL=osmesa" in last
