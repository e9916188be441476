"""A painting's label is computed from its pixels: the check of its own style holds and the eleven others fail."""

from __future__ import annotations

import numpy as np
import pytest
from style_checks import style_holds, styles_of

from proctor.assets import make
from proctor.assets.knowledge import STYLES, SUBJECTS, paint

SEEDS = range(4)


@pytest.mark.parametrize("style", STYLES)
def test_a_picture_carries_the_mark_of_its_style_and_of_no_other(style):
    subjects = list(SUBJECTS)
    for seed in SEEDS:
        image = paint(style, subjects[(seed + len(style)) % len(subjects)], np.random.default_rng(seed))
        assert styles_of(image) == (style,), seed


@pytest.mark.parametrize("style", STYLES)
def test_the_board_shows_the_picture_that_the_check_was_made_for(style):
    """What MuJoCo gets is the picture upside down (row 0 at v = 0), unscaled."""
    asset = make("painting", 4, (("style", style),))
    (shown,) = [v for v in asset.root.visuals if v.part == "picture"]
    assert shown.material.texture is not None
    assert styles_of(shown.material.texture[::-1]) == (style,)
    assert f"{style} painting" in asset.nouns


def test_checks_are_not_fooled_by_blank_or_random_boards():
    blank = np.full((168, 256, 3), 250, np.uint8)
    static = np.random.default_rng(0).integers(0, 256, (168, 256, 3), np.uint8)
    for image in (blank, static, np.zeros_like(blank)):
        assert styles_of(image) == ()


def test_a_line_drawing_with_a_blue_sky_is_none():
    image = paint("line drawing", "sailing boat", np.random.default_rng(1)).copy()
    image[:60] = (120, 160, 240)
    assert not style_holds("line drawing", image)


def test_subjects_differ_in_one_style():
    for style in ("flat poster", "line drawing", "pixel art"):
        pictures = {paint(style, subject, np.random.default_rng(3)).tobytes() for subject in SUBJECTS}
        assert len(pictures) == len(SUBJECTS)
